import {
  answers,
  correct,
  double,
  type Fault,
  lapse,
  lie,
  relink,
  rows,
  state,
  times,
  turn,
  unlist,
  weekly,
} from './faults.js';
import type { Row, World } from './feed.js';
import { at, DAY_MS, dayOf, dayOfMonth, FIRST_DAY, FIRST_SYNC, LAST_DAY, weekday } from './life.js';

// What people tell about their banks, a life each, for reporting only: the engine is never tuned on them. Written on
// 29 November 2026 from public reports, before the engine was changed. Each is played as the faults are; it has one
// persona, whose life it may replace.

const SYNCED = at(FIRST_SYNC, 0);

export const LIVES: Record<string, Fault> = {
  // Rows under another day than that of the money.
  'refunds dated as their purchases': {
    personas: ['card'],
    rows: rows(0.08, (w, row) => giveBack(w, row, 9, 20), SYNCED),
  },
  'charged twice, put right under the first day': {
    personas: ['checking'],
    rows: rows(0.06, (w, row) => {
      const again = backDated(w, row, row.amount, w.between(1, 3));
      backDated(w, row, -row.amount, w.between(12, 20)).text = again.text;
    }),
  },
  'chargeback undone under its first day': {
    personas: ['card'],
    rows: rows(0.05, (w, row) => {
      const credit = w.post(row.from + 4 * DAY_MS + 5e6, -row.amount, 'Dispute credit');
      backDated(w, credit, row.amount, w.between(14, 24));
    }),
  },
  'deposited cheques bounce under their first day': {
    personas: ['checking'],
    rows: times(4, (w) => {
      const cheque = w.post(w.some(14)[0] + 4e7, w.between(20_000, 90_000), 'Cheque deposit');
      const returned = backDated(w, cheque, -cheque.amount, w.between(4, 11));
      w.post(returned.from + 1000, -1_500, 'Returned cheque fee');
    }),
  },
  'cash back dated by the last statement': {
    personas: ['card'],
    rows: eachDay((w, day) => {
      if (dayOfMonth(day) !== 9) return;
      const row = w.post(at(day, 11), w.between(900, 4_000), 'Cash back');
      row.day = row.of[0]!.day = day - 19;
    }),
  },
  're-dated by a week': {
    personas: ['checking'],
    rows: rows(0.2, (w, row) => redate(w, row, { id: row.id })),
  },
  're-dated by a week with a new id': {
    personas: ['card'],
    rows: rows(0.2, (w, row) => redate(w, row, { id: w.newId() })),
  },
  'after five the next business day': {
    personas: ['checking'],
    rows: rows(1, (_, row) => {
      let day = row.day;
      if (row.from % DAY_MS > 17 * 3_600_000) day++;
      while ([0, 6].includes(weekday(day))) day++;
      row.day = row.of[0]!.day = day;
    }),
  },
  'overdraft covered under the day before': {
    personas: ['checking'],
    rows: eachDay((w, day) => {
      if (w.chance(0.9)) return;
      const row = w.post(at(day, 2), w.between(3_000, 20_000), 'Overdraft protection');
      row.day = row.of[0]!.day = day - 1;
    }),
  },
  'paid two days early': {
    personas: ['checking'],
    rows: rows(1, (_, row) => {
      if (row.text !== 'Salary') return;
      Object.assign(row.of[0]!, { at: row.of[0]!.at - 2 * DAY_MS, day: row.day - 2 });
      row.from -= 2 * DAY_MS;
    }),
  },

  // Rows that are not of this account's money.
  "another account's rows for five days": {
    personas: ['checking'],
    rows: (w) => {
      const [from, until] = w.some(5);
      for (let left = 20; left > 0; left--) strange(w, from, until, w.between(0, 30), -w.between(500, 30_000));
    },
  },
  "another account's rows for a day, twice": {
    personas: ['savings'],
    rows: times(2, (w) => {
      const [from, until] = w.some(1);
      for (let left = 8; left > 0; left--) strange(w, from, until, w.between(0, 12), w.between(-30_000, 30_000));
    }),
  },
  'additional card settled monthly': {
    personas: ['card'],
    rows: (w) => {
      let owed = 0;
      for (let day = FIRST_SYNC + 12; day <= LAST_DAY; day++) {
        if (w.chance(0.4)) owed += strange(w, at(day, 12), Infinity, 0, -w.between(400, 9_000)).amount;
        if (dayOfMonth(day) !== 25 || owed === 0) continue;
        unlist(w, w.post(at(day, 3), owed, 'Additional card'));
        owed = 0;
      }
    },
  },
  'wallet top-ups listed twice since a day': {
    personas: ['checking'],
    rows: (w) => {
      const [moment] = w.some(40);
      for (const row of w.posted(moment))
        if (row.text === 'Instant transfer') double(w, row, { text: 'WALLET TOP-UP' });
    },
  },

  // What moves the balance without a row, or with one for many.
  'round-ups settled weekly': {
    personas: ['checking'],
    rows: (w) => {
      for (const row of w.posted()) {
        const cents = row.amount < 0 ? ((row.amount % 100) + 100) % 100 : 0;
        if (cents > 0) unlist(w, w.post(row.from, -cents, 'Round-up'));
      }
      settle(w, 'Round-up', (day) => weekday(day) === 0);
    },
  },
  'interest every day, listed monthly': {
    personas: ['savings'],
    rows: (w) => {
      w.rows.filter(({ text }) => text === 'Interest').forEach((row) => remove(w, row));
      eachDay((_, day) => unlist(w, w.post(at(day, 1), w.between(30, 60), 'Interest')))(w);
      settle(w, 'Interest', (day) => dayOfMonth(day) === 28);
    },
  },
  'student loan, interest every day': {
    personas: ['loan'],
    rows: (w) => {
      w.rows.filter(({ text }) => text === 'Interest charge').forEach((row) => remove(w, row));
      eachDay((_, day) => unlist(w, w.post(at(day, 1), -w.between(270, 290), 'Interest')))(w);
    },
  },
  'mortgage with escrow': {
    personas: ['loan'],
    rows: (w) => {
      for (const row of w.posted()) {
        if (row.text === 'Interest charge') unlist(w, row);
        else unlist(w, w.post(row.from, -15_000, 'Escrow'));
      }
    },
  },
  'car loan, dated two days ago, asked weekly': {
    personas: ['loan'],
    syncs: weekly,
    rows: (w) => (w.rows = w.rows.filter(({ text }) => text !== 'Interest charge')),
    answers: answers((w, answer) => ownDay(w, answer, 2)),
  },
  'foreign account shown in dollars': {
    personas: ['savings'],
    rows: eachDay((w, day) => {
      if (day < FIRST_SYNC || [0, 1].includes(weekday(day))) return;
      unlist(w, w.post(at(day, 0.5), Math.round(w.bookAt(at(day, 0)) * (w.random() - 0.5) * 0.01), 'Rate'));
    }),
  },
  'foreign purchases priced again': {
    personas: ['card'],
    rows: rows(0.2, (w, row) => {
      const by = Math.round(row.amount * (w.random() - 0.5) * 0.06);
      if (by === 0) return;
      const more = correct(w, row, by, w.between(2, 5));
      w.change(row, more.from, { amount: row.amount + by, of: [...row.of, ...more.of] });
    }),
  },
  'brokerage cash with unlisted fees': {
    personas: ['savings'],
    rows: (w) => {
      w.type = 'investment';
      eachDay((_, day) => {
        if (dayOfMonth(day) === 3) unlist(w, w.post(at(day, 2), -w.between(700, 1_600), 'Advisory fee'));
        if (w.chance(0.12)) w.post(at(day, 20), w.between(300, 9_000), 'Dividend').from += 3 * DAY_MS;
      })(w);
    },
  },
  'crypto with network fees unlisted': {
    personas: ['savings'],
    rows: (w) => {
      w.type = 'crypto';
      for (const { amount, from } of w.posted())
        if (amount < 0) unlist(w, w.post(from, -w.between(20, 900), 'Network fee'));
    },
  },
  'market stall': {
    personas: ['checking'],
    rows: eachDay((w, day) => {
      for (let left = w.between(6, 14); left > 0; left--) {
        w.post(at(day, 8 + w.random() * 10), w.between(150, 6_000), 'Card receipt').from += w.chance(0.05)
          ? 2 * DAY_MS
          : 0;
      }
      if (dayOfMonth(day) === 2) unlist(w, w.post(at(day, 3), -w.between(3_000, 8_000), 'Terminal fee'));
    }),
  },
  'a quiet pension': {
    personas: ['savings'],
    syncs: weekly,
    rows: (w) => {
      w.rows.filter(({ text }) => text === 'Transfer').forEach((row) => w.chance(0.8) && remove(w, row));
      w.rows.filter(({ text }) => text === 'Interest').forEach((row) => unlist(w, row));
    },
  },

  // Signs.
  'line of credit, in credit first': {
    personas: ['loan'],
    rows: (w) => {
      Object.assign(w, { rows: [] });
      Object.assign(w.books, { postings: [], opening: 37_834 });
      eachDay((_, day) => {
        if (w.chance(0.12)) w.post(at(day, 10), -w.between(2_000, 30_000), 'Draw');
        if (dayOfMonth(day) === 15) w.post(at(day, 10), Math.max(5_000, -w.bookAt(at(day, 9))), 'Payment');
      })(w);
    },
    answers: answers(turn),
  },
  'loan paid past zero, reported without a sign': {
    personas: ['loan'],
    rows: (w) => {
      w.books.opening += -w.bookAt(at(FIRST_SYNC + 50, 0)) + 9_000;
      w.post(at(FIRST_SYNC + 90, 9), -Math.round(w.bookAt(at(FIRST_SYNC + 90, 8)) / 2), 'Refund of overpayment');
    },
    answers: answers(
      (_, { report }) => report && Object.assign(report, { amount: Math.abs(report.amount), isPlain: false }),
    ),
  },
  'card in credit after a refund, debts positive': {
    personas: ['card'],
    rows: (w) => w.post(w.some(40)[0] + 4e7, 260_000, 'Refund of a journey'),
    answers: answers(turn),
  },
  'list turned for two weeks': { personas: ['checking'], rows: (w) => flip(w, 14, false) },
  'list turned for two weeks, then put right': { personas: ['card'], rows: (w) => flip(w, 14, true) },
  'balance turned and turned back': {
    personas: ['checking'],
    answers: (w) => {
      for (const answer of w.during(w.some(21))) turn(w, answer);
    },
  },

  // Feeds that stand still or lack time.
  'stuck for three weeks, dated right': { personas: ['checking'], answers: (w) => stick(w, 21, true) },
  'stuck for three weeks, dated today': { personas: ['card'], answers: (w) => stick(w, 21, false) },
  'stuck until the end, dated right': { personas: ['checking'], answers: (w) => stick(w, 25, true, true) },
  'balance stuck, list alive': {
    personas: ['checking'],
    answers: (w) => {
      const during = w.during(w.some(15));
      for (const answer of during) answer.report = { ...during[0]!.report!, isObvious: true, isPlain: false };
    },
  },
  'three weeks without syncs, interest unlisted': {
    personas: ['savings'],
    syncs: (w) => lapse(w, 22),
    rows: (w) => (w.rows = w.rows.filter(({ text }) => text !== 'Interest')),
  },
  'asked monthly': { personas: ['card'], syncs: (w) => (w.syncs = w.syncs.filter((_, index) => index % 28 === 0)) },
  'asked every three weeks, fortnight listed': {
    personas: ['checking'],
    syncs: (w) => (w.syncs = w.syncs.filter((_, index) => index % 21 === 0)),
    answers: (w) =>
      w.answers.slice(1).forEach((answer) => {
        answer.coveredFrom = dayOf(answer.at) - 13;
        answer.rows = answer.rows.filter(({ day }) => day >= answer.coveredFrom);
      }),
  },
  'history after three weeks, with a refund': {
    personas: ['card'],
    rows: (w) => giveBack(w, w.posted(SYNCED)[2]!, 12, 15),
    answers: (w) => {
      w.answers.slice(0, 21).forEach((answer) => {
        answer.coveredFrom = Math.max(answer.coveredFrom, dayOf(answer.at) - 9);
        answer.rows = answer.rows.filter(({ day }) => day >= answer.coveredFrom);
      });
      const full = w.answers[21]!;
      full.coveredFrom = FIRST_DAY - 5;
      full.rows = w.rows.filter(
        (row) => row.from <= full.at && full.at < row.until && (!row.pending || w.includePending),
      );
    },
  },

  // Rows that come late, change or stay pending.
  'moved to another aggregator': {
    personas: ['checking'],
    rows: (w) =>
      relink(w, ({ text, day, of: [p] }) => {
        const moved = p?.heldAt ? dayOf(p.heldAt) : day;
        return { text: `${text.toUpperCase()} ${w.between(10, 99)}`, day: w.chance(0.5) ? moved : day };
      }),
  },
  'from the statement on': {
    personas: ['card'],
    rows: rows(0.25, (_, row) => {
      let day = row.day + 1;
      while (dayOfMonth(day) !== 21) day++;
      if (row.amount < 0) row.of[0]!.at = at(day, 1);
    }),
  },
  'statement balance, cheques late': {
    personas: ['card'],
    rows: rows(0.1, (w, row) => (row.from += w.between(3, 9) * DAY_MS)),
    answers: answers(state),
  },
  'bus rides of one price, late': {
    personas: ['card'],
    rows: eachDay((w, day) => {
      for (let ride = w.between(0, 3); ride > 0; ride--)
        w.post(at(day, 7 + 2 * ride), -280, 'Bus').from += w.between(0, 3) * DAY_MS;
    }),
  },
  'bus rides summed up by the day': {
    personas: ['card'],
    rows: eachDay((w, day) => {
      const rides = Array.from({ length: w.between(0, 4) }, (_, ride) => w.post(at(day, 7 + 2 * ride), -280, 'Bus'));
      const [first, ...others] = rides;
      if (others.length === 0) return;
      const sum = { id: w.newId(), amount: -280 * rides.length, of: rides.flatMap(({ of }) => of) };
      const { from } = w.change(first!, at(day + 4, 1), sum);
      for (const ride of others) ride.until = from;
    }),
  },
  'weekly, cheques when the image arrives': {
    personas: ['checking'],
    syncs: weekly,
    rows: rows(0.15, (w, row) => (row.from += row.amount < 0 ? w.between(7, 12) * DAY_MS : 0)),
  },
  'top-ups that stay pending': {
    personas: ['checking'],
    rows: rows(1, (_, row) => (row.pending = row.text === 'Salary'), SYNCED),
  },
  'hotel holds in the balance, unlisted': {
    personas: ['card'],
    answers: times(3, (w) => {
      const held = w.between(10_000, 45_000);
      for (const answer of w.during(w.some(w.between(4, 9)))) lie(answer, (amount) => amount - held, false);
    }),
  },
  'swept every night': {
    personas: ['checking'],
    rows: eachDay((w, day) => {
      if (day < FIRST_SYNC - 60 || day === LAST_DAY) return;
      const swept = w.between(1_000, 90_000);
      w.post(at(day, 23.9), -swept, 'Sweep');
      w.post(at(day + 1, 0.1), swept, 'Sweep');
    }),
  },
};

export function eachDay(happen: (world: World, day: number) => unknown): (world: World) => void {
  return (w) => {
    for (let day = FIRST_DAY; day <= LAST_DAY; day++) happen(w, day);
  };
}

/** The money moves days after a row, and the bank books it under that row's day. */
export function backDated(w: World, { from, day, text }: Row, amount: number, days: number): Row {
  const row = w.post(from + days * DAY_MS, amount, text);
  row.day = row.of[0]!.day = day;
  return row;
}

function giveBack(w: World, row: Row, least: number, most: number): void {
  if (row.amount < 0) backDated(w, row, -row.amount, w.between(least, most));
}

/** Listed on its day, and after three days under one of the week before, which is the bank's own. */
function redate(w: World, row: Row, changes: Partial<Row>): void {
  const day = row.day - w.between(6, 9);
  w.change(row, row.from + 3 * DAY_MS, { ...changes, day });
  row.of[0]!.day = day;
}

/** A row that this account's money knows nothing of. */
function strange(w: World, from: number, until: number, daysAgo: number, amount: number): Row {
  const row = {
    id: w.newId(),
    day: dayOf(from) - daysAgo,
    amount,
    text: 'Purchase',
    pending: false,
    from,
    until,
    of: [],
  };
  w.rows.push(row);
  return row;
}

/** Lists what was taken without a row as one row on certain days; the balance has it already. */
function settle(w: World, text: string, is: (day: number) => boolean): void {
  let sum = 0;
  for (let day = FIRST_DAY; day <= LAST_DAY; day++) {
    for (const posting of w.books.postings) if (posting.text === text && posting.day === day) sum += posting.amount;
    if (!is(day) || sum === 0) continue;
    strange(w, at(day, 23.5), Infinity, 0, sum);
    sum = 0;
  }
}

function remove(w: World, row: Row): void {
  unlist(w, row);
  w.books.postings = w.books.postings.filter((posting) => posting !== row.of[0]);
}

/** Rows first listed in some weeks have the other sign: for good, or until these weeks end. */
function flip(w: World, days: number, isPutRight: boolean): void {
  const [from, until] = w.some(days);
  for (const row of w.posted(from)) {
    if (row.from >= until) continue;
    if (isPutRight) w.change(row, until, {});
    row.amount *= -1;
  }
}

/** List and balance stand still for some days. */
function stick(w: World, days: number, isDated: boolean, isLast = false): void {
  const during = isLast ? w.answers.slice(-days) : w.during(w.some(days));
  const [first] = during;
  for (const answer of during) {
    answer.rows = first!.rows;
    answer.coveredFrom = first!.coveredFrom;
    answer.report = { ...first!.report!, day: isDated ? dayOf(first!.at) : dayOf(answer.at), isPlain: false };
  }
  if (isDated) for (const { at: moment, report } of w.answers) if (report) report.day ??= dayOf(moment);
}

/** A balance of some days ago, which says so. */
function ownDay(w: World, { at: moment, report }: World['answers'][number], days: number): void {
  const day = dayOf(moment) - days;
  Object.assign(report!, { amount: w.bookAt(at(day, 23.99)), trueAt: at(day, 23.99), day, isPlain: false });
}
