import { pick } from '../../sandbox/random.js';
import type { Answer, Report, Row, World } from './feed.js';
import { at, DAY_MS, dayOf, dayOfMonth, FIRST_SYNC, type Persona, weekday } from './life.js';

// How banks and aggregators misbehave, each by itself. `syncs` bends when it is asked, `rows` what happens and how it is
// listed, `answers` what a sync gets. In a mixture they apply in the order of this file.

type Bend = (world: World) => void;

export interface Fault {
  /** Absent: all. */
  personas?: readonly Persona[];
  syncs?: Bend;
  rows?: Bend;
  answers?: Bend;
}

const SHOPPING: readonly Persona[] = ['checking', 'card'];
const SYNCED = at(FIRST_SYNC, 0);
export const weekly: Bend = (w) => (w.syncs = w.syncs.filter((_, index) => index % 7 === 0));

export const FAULTS: Record<string, Fault> = {
  honest: {},

  // When it is asked.
  'weekly syncs': { syncs: weekly },
  'three syncs a day': {
    syncs: (w) => (w.syncs = w.syncs.flatMap((t) => [dayOf(t) * DAY_MS + 3e6, t, dayOf(t) * DAY_MS + 8.5e7])),
  },
  'consent lapsed': { syncs: (w) => lapse(w, 30) },
  'lapsed longer than listed': { syncs: (w) => lapse(w, 45), answers: answers((_, answer) => keepDays(answer, 30)) },
  'bank in Tokyo': { rows: (w) => setClocks(w, 9, 0) },
  'all in California': { rows: (w) => setClocks(w, -8, -8) },
  'bank in California, rows in UTC': { rows: (w) => setClocks(w, -8, -8, false) },

  // What the bank books.
  'books at once': {
    personas: SHOPPING,
    rows: (w) => {
      for (const posting of w.books.postings) {
        const { heldAt } = posting;
        if (heldAt !== null) Object.assign(posting, { at: heldAt, day: dayOf(heldAt), heldAt: null });
      }
      w.rows = w.posted();
      for (const row of w.rows) Object.assign(row, { from: row.of[0]!.at, day: row.of[0]!.day });
    },
  },
  'back-dated interest': { personas: ['savings'], rows: bookLater(1, ({ text }) => text === 'Interest', 3, 6) },
  'back-dated credits': { rows: bookLater(0.6, ({ amount, from }) => amount > 0 && from >= SYNCED, 1, 5) },
  'fee corrected in place': {
    rows: times(3, (w) => {
      const row = w.post(w.some(6)[0] + 9e6, -3500, 'Service fee');
      const credit = correct(w, row, 1000, w.between(1, 5));
      w.change(row, credit.from, { amount: -2500, of: [...row.of, ...credit.of] });
    }),
  },
  'debit erased': {
    rows: times(2, (w) => {
      const row = w.post(w.some(6)[0] + 9e6, -w.between(5_000, 90_000), 'Direct debit');
      row.until = correct(w, row, -row.amount, w.between(1, 4)).from;
    }),
  },
  'disputed and reversed': {
    rows: rows(0.04, (w, { from, amount }) => {
      w.post(from + 4 * DAY_MS + 5e6, -amount, 'Provisional credit');
      w.post(from + 19 * DAY_MS + 5e6, amount, 'Provisional credit reversed');
    }),
  },
  'paid back the same day': { rows: rows(0.08, (w, { from, amount, text }) => w.post(from + 3e5, -amount, text)) },
  'true twins': { rows: rows(0.12, (w, { from, amount, text }) => w.post(from + 60_000, amount, text)) },
  'loan interest unlisted': {
    personas: ['loan'],
    rows: (w) => (w.rows = w.rows.filter(({ text }) => text !== 'Interest charge')),
  },
  'small fees unlisted': {
    rows: (w) => w.syncs.forEach((t) => w.chance(0.06) && unlist(w, w.post(t + 2e7, -w.between(100, 450), 'Fee'))),
  },
  'debited on a day of the month': {
    personas: SHOPPING,
    rows: (w) => {
      const [date, part] = [w.between(1, 28), pick(w.random, [0.15, 0.3, 0.6])];
      const due = (day: number): number => (dayOfMonth(day) === date ? day : due(day + 1));
      for (const { amount, of } of share(w, w.posted(), part)) {
        if (amount < 0) of[0]!.at = at(due(of[0]!.day + 1), 1);
      }
    },
  },
  'account emptied': {
    personas: ['checking', 'savings'],
    rows: (w) => {
      const [moment] = w.some(20);
      w.books.postings = w.books.postings.filter((posting) => posting.at < moment);
      w.rows = w.rows.filter((row) => row.of[0]!.at < moment);
      w.post(moment + 1e7, -w.bookAt(moment), 'Account closed');
    },
  },

  // How rows are listed.
  'rows never listed': { rows: rows(0.03, unlist) },
  'late rows': { rows: rows(0.08, (w, row) => (row.from += w.between(2, 15) * DAY_MS)) },
  'very late rows': { rows: rows(0.03, (w, row) => (row.from += w.between(18, 36) * DAY_MS)) },
  'rows a day after the balance': { rows: rows(1, (_, row) => (row.from += DAY_MS)) },
  'credits two days after the balance': { rows: rows(1, (_, row) => (row.from += row.amount > 0 ? 2 * DAY_MS : 0)) },
  'bills listed ahead': { rows: rows(1, (_, row) => (row.from -= row.of[0]!.heldAt ? 0 : 3 * DAY_MS)) },
  'dated today until booked': {
    rows: rows(1, (w, row) => {
      for (let ahead = row.of[0]!.heldAt ? 0 : 3; ahead > 0; ahead--) {
        const from = row.from - ahead * DAY_MS;
        w.rows.push({ ...row, day: row.day - ahead, from, until: from + DAY_MS });
      }
    }),
  },
  'purchase dates': { personas: SHOPPING, rows: rows(1, (_, row) => (row.day = heldDay(row))) },
  'weekend dates': {
    personas: SHOPPING,
    rows: rows(1, (_, row) => (row.day = [0, 6].includes(weekday(heldDay(row))) ? heldDay(row) : row.day)),
  },
  'purchase date for a day': {
    personas: SHOPPING,
    rows: rows(1, (w, row) => {
      w.change(row, row.from + DAY_MS, {});
      row.day = heldDay(row);
    }),
  },
  're-dated to the purchase': {
    personas: SHOPPING,
    rows: rows(0.3, (w, row) => w.change(row, row.from + 2 * DAY_MS, { day: heldDay(row) })),
  },
  're-dated with a new id': {
    personas: SHOPPING,
    rows: rows(0.3, (w, row) => {
      w.change(row, row.from + 3 * DAY_MS, { id: w.newId() });
      row.day = heldDay(row);
    }),
  },
  'rows without a date': { rows: rows(0.15, (_, row) => (row.isUndated = true), SYNCED) },
  'hundredfold rows for a day': {
    rows: rows(0.03, (w, row) => {
      w.change(row, row.from + DAY_MS, {});
      row.amount *= 100;
    }),
  },
  'foreign at first': {
    personas: SHOPPING,
    rows: rows(0.06, (w, row) => {
      w.change(row, row.from + 2 * DAY_MS, {});
      Object.assign(row, { amount: Math.round(row.amount * 0.91), currency: 'EUR' });
    }),
  },
  'merged at first': {
    rows: pairs((w, row, other, sum) => {
      const until = row.from + 3 * DAY_MS;
      w.rows.push({ ...row, ...sum, until });
      row.from = other.from = until;
    }),
  },
  'merged later': {
    rows: pairs((w, row, other, sum) => (other.until = w.change(row, other.from + 3 * DAY_MS, sum).from)),
  },
  'texts change': {
    rows: rows(1, (w, row) => {
      const later = w.change(row, row.from + DAY_MS, { text: `${row.text} #${w.between(100, 999)}` });
      if (w.chance(0.3)) w.change(later, later.from + 4 * DAY_MS, { text: row.text.toUpperCase() });
    }),
  },
  'refunds in the other sign': {
    personas: ['card'],
    rows: rows(1, (_, row) => (row.amount *= row.text === 'Refund' ? -1 : 1)),
  },
  'rows in the other sign': {
    personas: SHOPPING,
    rows: (w) => {
      w.rowsReversed = true;
      for (const row of w.rows) row.amount *= -1;
    },
  },
  'doubled for ever': { rows: rows(0.03, (w, row) => double(w, row, {})) },
  'doubled in the past': { rows: rows(0.04, (w, row) => row.from < SYNCED && double(w, row, {})) },
  'doubled later': {
    rows: rows(0.03, (w, row) => double(w, row, { from: Math.max(SYNCED, row.from) + w.between(3, 12) * DAY_MS })),
  },
  'doubled for days': {
    rows: rows(0.08, (w, row) => double(w, row, { until: row.from + w.between(2, 9) * DAY_MS }), SYNCED),
  },
  'doubled a day off': { rows: rows(0.03, (w, row) => double(w, row, { day: row.day + 1, text: 'POS' }), SYNCED) },
  'echo of a transfer': {
    rows: times(4, (w) => {
      const from = w.some(2)[0] + 3e7;
      const echo = { ...madeUp(w, from, w.between(2_000, 60_000), 'Transfer'), until: Infinity, pending: false };
      w.rows.push(echo, { ...echo, id: w.newId(), amount: -echo.amount, day: echo.day + w.between(0, 2) });
    }),
  },
  relink: { rows: (w) => relink(w, () => ({})) },
  'relink with other texts': {
    rows: (w) => relink(w, ({ text }) => ({ text: `${text.toUpperCase()} 0${w.between(10, 99)}` })),
  },
  'relink with overlap': { rows: (w) => relink(w, () => ({}), 3) },
  'relink with purchase dates': { personas: SHOPPING, rows: (w) => relink(w, (row) => ({ day: heldDay(row) })) },
  'ids by day and amount': { rows: rows(1, (_, row) => (row.id = `${row.day}:${row.amount}`)) },
  'ids reused': {
    rows: (w) => {
      const inOrder = w.posted().sort((a, b) => a.from - b.from);
      inOrder.forEach((row, index) => (row.id = `s${index % Math.ceil(inOrder.length / 2)}`));
    },
  },
  'numbered by position': {
    answers: answers((_, answer) => {
      const sorted = [...answer.rows].sort((a, b) => b.from - a.from);
      answer.rows = sorted.map((row, index) => ({ ...row, id: `#${index}` }));
    }),
  },

  // What is not booked yet.
  tips: {
    personas: SHOPPING,
    rows: holds(0.4, (w, hold) => Object.assign(hold, { id: w.newId(), amount: Math.round(hold.amount / 1.2) })),
  },
  'fuel holds': {
    personas: SHOPPING,
    rows: holds(0.3, (w, hold) => {
      Object.assign(hold, { id: w.newId(), amount: pick(w.random, [-100, -10_000, -17_500]) });
    }),
  },
  'holds dropped': { personas: SHOPPING, rows: times(8, dropHold) },
  'pending beside posted': {
    personas: SHOPPING,
    rows: holds(0.5, (w, hold) => Object.assign(hold, { id: w.newId(), until: hold.until + 4 * DAY_MS })),
  },
  'balance with holds': { personas: SHOPPING, answers: answers(addHolds) },
  'balance with dropped holds': { personas: SHOPPING, rows: times(8, dropHold), answers: answers(addHolds) },
  'balance with holds from a day on': { personas: SHOPPING, answers: sinceSome(addHolds) },
  'balance with holds unlisted': {
    personas: SHOPPING,
    rows: (w) => (w.includePending = false),
    answers: answers(addHolds),
  },
  'balance of holds twice': {
    personas: SHOPPING,
    answers: answers((w, answer) => {
      const twice = w.posted().filter(({ of: [p] }) => p?.heldAt && p.at <= answer.at && p.at > answer.at - DAY_MS);
      const sum = twice.reduce((total, { amount }) => total + amount, 0);
      if (sum !== 0) lie(answer, (amount) => amount + sum, false);
    }, 0.2),
  },
  'holds listed as posted': {
    personas: SHOPPING,
    rows: (w) => {
      const rowOf = new Map(w.posted().map((row) => [row.of[0]?.id, row]));
      for (const hold of w.rows.filter(({ pending }) => pending)) {
        const row = rowOf.get(hold.id.replace('p-', ''));
        if (!row) continue;
        Object.assign(row.of[0]!, { at: hold.from, day: hold.day });
        Object.assign(hold, { id: w.newId(), pending: false, of: row.of, text: `AUTH ${hold.text}` });
        row.day = hold.day;
      }
    },
  },

  // What the list lacks.
  'history of twenty days': {
    answers: ({ answers: [first] }) => (first!.rows = first!.rows.filter(({ day }) => day > FIRST_SYNC - 20)),
  },
  'history follows': { answers: (w) => followLater(w, 3, 8) },
  'history follows after weeks': { answers: (w) => followLater(w, w.between(12, 30), w.between(8, 14)) },
  'refunds dated as purchases': { personas: SHOPPING, rows: rows(0.04, refundBack, SYNCED) },
  'refunds so dated, history after weeks': {
    personas: SHOPPING,
    rows: rows(0.08, refundBack, SYNCED),
    answers: (w) => followLater(w, w.between(12, 30), w.between(8, 14)),
  },
  'fourteen days listed': { answers: (w) => w.answers.slice(1).forEach((answer) => keepDays(answer, 14)) },
  'half lists': { answers: answers((w, answer) => (answer.rows = share(w, answer.rows, 0.5)), 0.08) },
  'flickering rows': {
    answers: (w) => {
      const during = w.during(w.some(14));
      const gone = share(w, during[0]?.rows ?? [], 0.1);
      for (const [index, answer] of during.entries()) {
        if (index % 2) answer.rows = answer.rows.filter((row) => !gone.includes(row));
      }
    },
  },
  'newest rows lost': { answers: answers((_, answer) => (answer.rows = newestFirst(answer).slice(5)), 0.1) },
  'cut at twenty rows': { personas: SHOPPING, answers: answers((_, answer) => cut(answer, 20)) },
  'weekly, cut at fifteen rows': {
    personas: ['card'],
    syncs: weekly,
    answers: (w) => w.answers.slice(1).forEach((answer) => cut(answer, 15)),
  },
  'empty lists': { answers: someAnswers(6, 6, (_, answer) => (answer.rows = [])) },
  'frozen list': { answers: someAnswers(5, 12, (_, answer, first) => (answer.rows = first.rows)) },
  'all stands still': {
    answers: someAnswers(8, 25, (_, answer, first) => {
      answer.rows = first.rows;
      repeat(answer, first);
    }),
  },
  'list from a copy': { answers: fromCopy((answer, old) => (answer.rows = old.rows)) },
  'all from a copy': {
    answers: fromCopy((answer, old) => {
      answer.rows = old.rows;
      repeat(answer, old);
    }),
  },

  // What the balance is.
  'balance from a copy': { answers: fromCopy(repeat) },
  'balance a day late': { answers: answers((w, answer) => delay(w, answer, answer.at - DAY_MS)) },
  'balance two days late, dated': {
    answers: answers((w, answer) => delay(w, answer, answer.at - 2 * DAY_MS, dayOf(answer.at) - 2)),
  },
  "yesterday's close, dated today": {
    answers: answers((w, answer) => delay(w, answer, dayOf(answer.at) * DAY_MS - 1, dayOf(answer.at))),
  },
  "yesterday's close, dated right": {
    answers: answers((w, answer) => delay(w, answer, dayOf(answer.at) * DAY_MS - 1, dayOf(answer.at) - 1)),
  },
  "Friday's balance all weekend": {
    answers: answers((w, answer) => {
      const since = [2, 3, 0, 0, 0, 0, 1][weekday(dayOf(answer.at))]!;
      if (since > 0) delay(w, answer, (dayOf(answer.at) - since) * DAY_MS + 8e7);
    }),
  },
  'statement balance': { personas: ['card'], answers: (w) => answers(w.chance(0.5) ? stateDated : state)(w) },
  'frozen balance': { answers: someAnswers(5, 14, (_, answer, first) => repeat(answer, first)) },
  'no balance at first': { answers: (w) => w.answers.slice(0, 15).forEach((answer) => (answer.report = null)) },
  'no balance for a while': { answers: someAnswers(16, 16, (_, answer) => (answer.report = null)) },
  'accrued interest': {
    personas: ['savings', 'loan'],
    answers: answers((w, answer) => {
      const days = (dayOfMonth(dayOf(answer.at)) + 2) % 31;
      if (days > 0) lie(answer, (amount) => amount + Math.round(days * (w.isDebt ? -280 : 45)), true);
    }),
  },
  'whole units': { answers: answers((_, answer) => lie(answer, (minor) => Math.trunc(minor / 100) * 100, true)) },
  'overdraft counted from a day on': {
    answers: sinceSome((_, answer) => lie(answer, (amount) => amount + 50_000, false)),
  },
  'overdraft counted for days': {
    answers: someAnswers(2, 8, (_, answer) => lie(answer, (amount) => amount + 50_000, false)),
  },
  'limit for a balance': { answers: someAnswers(2, 5, (_, answer) => lie(answer, () => 500_000, true)) },
  "another account's balance": {
    answers: someAnswers(1, 3, (w, answer) => lie(answer, () => w.between(-90_000, 900_000), false)),
  },
  'hundredfold balance': { answers: someAnswers(1, 3, (_, answer) => lie(answer, (amount) => amount * 100, true)) },
  'zero balance': { answers: someAnswers(1, 5, (_, answer) => lie(answer, () => 0, true)) },
  outage: {
    answers: someAnswers(2, 6, (_, answer) => {
      lie(answer, () => 0, true);
      answer.rows = [];
    }),
  },
  'debt above zero': { personas: ['card', 'loan'], answers: answers(turn) },
  'sign turns': { answers: sinceSome(turn) },
  'sign flickers': { answers: answers((_, answer) => lie(answer, (amount) => -amount, true), 0.07) },
  'date stuck': { answers: dated(() => FIRST_SYNC) },
  'dated tomorrow': { answers: dated((moment) => dayOf(moment) + 1) },
  'dated yesterday': { answers: dated((moment) => dayOf(moment) - 1) },
  'dated today': { answers: dated(dayOf) },
};

// Ways to say where a fault applies.

/** To a share of the posted rows. */
export function rows(part: number, change: (world: World, row: Row) => unknown, since?: number): Bend {
  return (w) => share(w, w.posted(since), part).forEach((row) => change(w, row));
}

/** To a share of the pending rows. */
function holds(part: number, change: (world: World, hold: Row) => unknown): Bend {
  return (w) => share(w, w.rows, part).forEach((row) => row.pending && change(w, row));
}

/** To half of the pairs of rows that were posted on one day. */
function pairs(change: (world: World, row: Row, other: Row, sum: Partial<Row>) => unknown): Bend {
  return (w) => {
    w.posted(SYNCED).forEach((row, index, all) => {
      const other = all[index + 1];
      if (index % 2 || other?.day !== row.day || w.chance(0.5)) return;
      change(w, row, other, { id: w.newId(), amount: row.amount + other.amount, of: [...row.of, ...other.of] });
    });
  };
}

export function answers(change: (world: World, answer: Answer) => unknown, part = 1): Bend {
  return (w) => w.answers.slice(part < 1 ? 1 : 0).forEach((answer) => w.chance(part) && change(w, answer));
}

/** To the answers of some days, the first of which `first` stays as it is with a fault that repeats it. */
function someAnswers(
  least: number,
  most: number,
  change: (world: World, answer: Answer, first: Answer) => unknown,
): Bend {
  return (w) => {
    const during = w.during(w.some(w.between(least, most)));
    for (const answer of during) change(w, answer, during[0]!);
  };
}

function sinceSome(change: (world: World, answer: Answer) => unknown): Bend {
  return (w) => {
    const [moment] = w.some(30);
    w.answers.forEach((answer) => answer.at >= moment && change(w, answer));
  };
}

/** To a quarter of the answers, with the one of two syncs before as it was. */
function fromCopy(copy: (answer: Answer, old: Answer) => void): Bend {
  return (w) => {
    const before = w.answers.map((answer) => ({ ...answer, report: answer.report && { ...answer.report } }));
    w.answers.slice(2).forEach((answer, index) => w.chance(0.25) && copy(answer, before[index]!));
  };
}

export function times(count: number, bend: Bend): Bend {
  return (w) => {
    for (let left = count; left > 0; left--) bend(w);
  };
}

function share(world: World, all: readonly Row[], part: number): Row[] {
  return all.filter(() => world.chance(part));
}

// What faults have in common.

/** A report that is true at no moment. */
export function lie({ report }: Answer, of: (amount: number) => number, isObvious: boolean): void {
  if (report)
    Object.assign(report, {
      amount: of(report.amount),
      trueAt: null,
      isObvious,
      isPlain: false,
    } satisfies Partial<Report>);
}

/** A report of an earlier moment. */
function delay(world: World, { report }: Answer, moment: number, day = report?.day ?? null): void {
  if (!report || report.trueAt === null) return;
  const amount = report.amount + world.bookAt(moment) - world.bookAt(report.trueAt);
  Object.assign(report, { amount, day, trueAt: moment, isPlain: false } satisfies Partial<Report>);
}

function repeat(answer: Answer, { report }: Answer): void {
  answer.report = report && { ...report, isPlain: false };
}

export function turn(world: World, { report }: Answer): void {
  world.isTurned = true;
  if (report) Object.assign(report, { amount: -report.amount, isPlain: false });
}

/** A report of everything that is authorised, too; of what is not listed it is a lie. */
function addHolds(world: World, answer: Answer): void {
  const held = world.heldAt(answer.at);
  if (held === 0) return;
  if (!world.includePending) lie(answer, (amount) => amount + held, false);
  else if (answer.report) Object.assign(answer.report, { amount: answer.report.amount + held, isPlain: false });
}

export function state(world: World, answer: Answer): void {
  let day = dayOf(answer.at);
  while (dayOfMonth(day) !== 21) day--;
  delay(world, answer, day * DAY_MS - 1);
}

function stateDated(world: World, answer: Answer): void {
  state(world, answer);
  if (answer.report?.trueAt) answer.report.day = dayOf(answer.report.trueAt);
}

function dated(dayAt: (moment: number) => number): Bend {
  return answers((_, { at: moment, report }) => report && (report.day = dayAt(moment)));
}

/** All posted rows get other ids at a moment. */
export function relink(world: World, changes: (row: Row) => Partial<Row>, overlapDays = 0): void {
  const [moment] = world.some(5);
  for (const row of world.posted()) {
    const next = { ...changes(row), id: world.newId() };
    if (row.from >= moment) Object.assign(row, next);
    else if (row.until > moment) {
      world.change(row, moment, next);
      row.until = moment + overlapDays * DAY_MS;
    }
  }
}

/** Postings keep their day and are booked later than it. */
function bookLater(part: number, is: (row: Row) => boolean, least: number, most: number): Bend {
  return rows(part, (w, row) => {
    if (is(row)) row.from = row.of[0]!.at += w.between(least, most) * DAY_MS;
  });
}

/** The bank books something back on the day of a row, some days later and without a row. */
export function correct(world: World, row: Row, amount: number, days: number): Row {
  const correction = world.post(row.from + days * DAY_MS, amount, `${row.text}, corrected`);
  correction.of[0]!.day = row.day;
  unlist(world, correction);
  return correction;
}

/** What is given back is booked on the day of its purchase, though it comes later. */
function refundBack(world: World, { amount, from, day, text }: Row): void {
  if (amount > 0) return;
  const refund = world.post(from + world.between(5, 20) * DAY_MS, -amount, text);
  refund.day = refund.of[0]!.day = day;
}

function heldDay({ of: [posting], day }: Row): number {
  return posting?.heldAt ? dayOf(posting.heldAt) : day;
}

export function lapse(world: World, days: number): void {
  const [from, until] = world.some(days);
  world.syncs = world.syncs.filter((moment) => moment < from || moment >= until);
}

function setClocks(world: World, bankHours: number, personHours: number, movesRows = true): void {
  Object.assign(world, { bankHours, personHours });
  for (const posting of world.books.postings) posting.day = world.bankDay(posting.at);
  for (const row of movesRows ? world.rows : []) row.day = row.of[0]?.day ?? world.bankDay(row.from);
}

export function unlist(world: World, row: Row): void {
  world.rows.splice(world.rows.indexOf(row), 1);
}

export function double(world: World, row: Row, changes: Partial<Row>): void {
  world.rows.push({ ...row, id: world.newId(), ...changes });
}

function madeUp(world: World, from: number, amount: number, text: string): Row {
  return { id: world.newId(), day: dayOf(from), amount, text, pending: true, from, until: Infinity, of: [] };
}

function dropHold(world: World): void {
  const hold = madeUp(world, world.some(8)[0] + 4e7, -world.between(3_000, 25_000), 'Hotel');
  world.rows.push({ ...hold, until: hold.from + world.between(3, 8) * DAY_MS });
}

function keepDays(answer: Answer, days: number): void {
  answer.rows = answer.rows.filter(({ day }) => day > dayOf(answer.at) - days);
}

/** The first answers list some days only, and the one after them everything. */
function followLater({ answers: all }: World, count: number, days: number): void {
  const [first, full] = [all[0]!, all[Math.min(count, all.length - 1)]!];
  full.rows = [...new Set([...first.rows.filter(({ until }) => until > full.at), ...full.rows])];
  full.coveredFrom = first.coveredFrom;
  for (const answer of all.slice(0, count)) keepDays(answer, days);
}

function newestFirst(answer: Answer): Row[] {
  return [...answer.rows].sort((a, b) => b.day - a.day);
}

function cut(answer: Answer, most: number): void {
  answer.rows = newestFirst(answer).slice(0, most);
}
