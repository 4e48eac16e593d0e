import { answers, type Fault, lie, rows, times, unlist, weekly } from './faults.js';
import { at, DAY_MS, dayOf, dayOfMonth, FIRST_DAY, FIRST_SYNC, weekday } from './life.js';
import { backDated, eachDay } from './lives.js';

// A second set of what people tell about their banks, for reporting only. Written on 29 November 2026 at 12:40 UTC, after the
// engine was last tuned and before it was changed again.

const SYNCED = at(FIRST_SYNC, 0);

export const LATER_LIVES: Record<string, Fault> = {
  'deposits held for five days': {
    personas: ['checking'],
    rows: times(4, (w) => {
      const [moment] = w.some(8);
      const row = w.post(moment + 4e7, w.between(60_000, 200_000), 'Cheque deposit');
      const available = 20_000;
      const [posting] = row.of;
      const rest = { ...posting!, id: w.newId(), amount: row.amount - available, at: posting!.at + 5 * DAY_MS };
      Object.assign(posting!, { amount: available });
      w.books.postings.push(rest);
      row.of = [posting!, rest];
    }),
  },
  'money moved to pots without a row': {
    personas: ['checking'],
    rows: times(3, (w) => {
      const [from, until] = w.some(w.between(6, 25));
      const moved = w.between(5_000, 60_000);
      unlist(w, w.post(from + 5e7, -moved, 'Pot'));
      unlist(w, w.post(until + 5e7, moved, 'Pot'));
    }),
  },
  'purchases turned into instalments': {
    personas: ['card'],
    rows: rows(
      0.04,
      (w, row) => {
        if (row.amount >= 0) return;
        const part = Math.round(row.amount / 3);
        const turned = row.from + 3 * DAY_MS;
        w.post(turned, -row.amount, `${row.text}, in instalments`);
        w.post(turned + 1000, row.amount - 2 * part, `${row.text} 1/3`);
        for (const month of [1, 2]) w.post(turned + month * 30 * DAY_MS, part, `${row.text} ${month + 1}/3`);
      },
      SYNCED,
    ),
  },
  'a month lost, and listed anew under other ids': {
    personas: ['checking'],
    rows: (w) => {
      const [from, until] = w.some(3);
      for (const row of w.posted()) {
        if (row.from >= from || row.day < dayOf(from) - 30) continue;
        const text = `${row.text.toUpperCase()} ${w.between(10, 99)}`;
        w.rows.push({ ...row, id: w.newId(), text, from: until });
        row.until = from;
      }
    },
  },
  'first balances of four days ago': {
    personas: ['card'],
    answers: (w) => {
      for (const { at: moment, report } of w.answers.slice(0, 5)) {
        const trueAt = Math.min(moment, SYNCED) - 4 * DAY_MS;
        Object.assign(report!, { amount: w.bookAt(trueAt), trueAt, isPlain: false });
      }
    },
  },
  'all re-dated by a day and numbered anew at a migration': {
    personas: ['checking'],
    rows: (w) => {
      const [moment] = w.some(5);
      for (const row of w.posted()) {
        if (row.from < moment && row.until > moment) w.change(row, moment, { id: w.newId(), day: row.day + 1 });
      }
    },
  },
  'available balance at weekends': {
    personas: ['checking'],
    answers: answers((w, answer) => {
      const held = w.heldAt(answer.at);
      if ([0, 6].includes(weekday(dayOf(answer.at)))) lie(answer, (amount) => amount + held + 100_000, false);
    }),
  },
  'rows at once, the balance overnight': {
    personas: ['card', 'checking'],
    rows: rows(1, (w, row) => {
      const [posting] = row.of;
      if (!posting?.heldAt) return;
      row.from = posting.heldAt;
      row.day = posting.day = dayOf(posting.heldAt);
      for (const hold of w.rows) if (hold.pending && hold.of.includes(posting)) hold.until = hold.from;
    }),
  },
  'amounts without cents until the next day': {
    personas: ['card'],
    rows: rows(1, (w, row) => {
      if (row.from < SYNCED || row.amount % 100 === 0) return;
      w.change(row, row.from + DAY_MS, {});
      row.amount = Math.trunc(row.amount / 100) * 100;
    }),
  },
  'fees of a month taken at its end under their own days': {
    personas: ['checking'],
    rows: eachDay((w, day) => {
      if (dayOfMonth(day) !== 27) return;
      const charged = w.post(at(day, 4), -w.between(200, 900), 'Fees');
      for (let left = 4; left > 0; left--) backDated(w, charged, -w.between(100, 700), 0).day -= w.between(2, 24);
      for (const { of, day: booked } of w.rows.slice(-4)) of[0]!.day = booked;
    }),
  },
  'a bonus under the day of the opening': {
    personas: ['savings'],
    rows: (w) => {
      const row = w.post(w.some(20)[0] + 4e7, 20_000, 'Welcome bonus');
      row.day = row.of[0]!.day = FIRST_DAY + 1;
    },
    answers: (w) => {
      const [bonus] = w.rows.filter(({ text }) => text === 'Welcome bonus');
      for (const answer of w.answers) if (bonus!.from <= answer.at) answer.rows.push(bonus!);
    },
  },
  'weekly, ten days listed, cheques late': {
    personas: ['checking'],
    syncs: weekly,
    rows: rows(0.12, (w, row) => (row.from += row.amount < 0 ? w.between(2, 9) * DAY_MS : 0)),
    answers: (w) => {
      for (const answer of w.answers.slice(1)) {
        answer.coveredFrom = dayOf(answer.at) - 9;
        answer.rows = answer.rows.filter(({ day }) => day >= answer.coveredFrom);
      }
    },
  },
};
