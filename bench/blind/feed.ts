import { randomStream, wholeBetween } from '../../sandbox/random.js';
import type { AccountType } from '../../src/balances/engine/ledger.js';
import type { SnapshotAccount } from '../../src/providers/bank-provider.js';
import { dateOfDayNumber } from '../../src/platform/time/calendar-date.js';
import {
  at,
  type Books,
  DAY_MS,
  dayOf,
  FIRST_DAY,
  FIRST_SYNC,
  LIFE_DAYS,
  liveLife,
  type Persona,
  type Posting,
} from './life.js';

/** A row as an honest bank lists it, from a moment until another. Several with one id are versions of it. */
export interface Row {
  id: string;
  day: number;
  amount: number;
  text: string;
  pending: boolean;
  from: number;
  until: number;
  /** The postings that it stands for; none: it is made up. */
  of: readonly Posting[];
  /** It comes without a date. */
  isUndated?: boolean;
  currency?: string;
}

export interface Report {
  amount: number;
  /** The day that the provider says it is of. */
  day: number | null;
  /** The moment of the books at which it is true; `null`: at none. */
  trueAt: number | null;
  /** Whether a person sees at once that it is wrong: a zero, a frozen number, a hundred times as much. */
  isObvious: boolean;
  /** Whether it is the plain balance of the moment, and not one that has to be understood first. */
  isPlain: boolean;
}

export interface Answer {
  at: number;
  rows: Row[];
  report: Report | null;
  complete: boolean;
  /** It claims to list everything from this day on. */
  coveredFrom: number;
}

/** How many days each sync but the first asks for. */
export const WINDOW_DAYS = 44;

/** What a fault may bend: first the books and rows, then the answers made of them. */
export class World {
  readonly random: () => number;
  readonly books: Books;
  /** What the account is taken for, if that is not its persona's type. */
  type: AccountType | null = null;
  rows: Row[];
  syncs: number[];
  answers: Answer[] = [];
  /** Days of which nothing but a guess is possible, whatever is listed. */
  readonly blurred: (readonly [first: number, last: number])[] = [];
  includePending = true;
  /** How far the clocks of the bank and of the person are ahead of UTC. */
  bankHours = 0;
  personHours = 0;
  /** Whether all rows are in the other sign. */
  rowsReversed = false;
  /** Whether some balances are in the other sign. */
  isTurned = false;
  #count = 0;

  constructor(persona: Persona, seed: string) {
    this.random = randomStream(`blind/world/${seed}`);
    this.books = liveLife(persona, seed);
    this.includePending = this.random() < 0.6;
    const keepsId = this.random() < 0.5;
    this.rows = this.books.postings.flatMap((posting) => toRows(posting, keepsId));
    const hour = 4 + this.random() * 19;
    this.syncs = Array.from({ length: LIFE_DAYS }, (_, index) => at(FIRST_SYNC + index, hour + this.random() * 0.2));
  }

  get isDebt(): boolean {
    return this.books.persona === 'card' || this.books.persona === 'loan';
  }

  between(least: number, most: number): number {
    return wholeBetween(this.random, least, most);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  /** Somewhere within the synced life, with quiet days before and behind. @returns first moment and the one after the last */
  some(days: number): readonly [from: number, until: number] {
    const first = at(FIRST_SYNC + this.between(18, LIFE_DAYS - 18 - days), 0);
    return [first, first + days * DAY_MS];
  }

  newId(): string {
    return `n${this.#count++}`;
  }

  bookAt(moment: number): number {
    return this.books.postings.reduce(
      (sum, posting) => (posting.at <= moment ? sum + posting.amount : sum),
      this.books.opening,
    );
  }

  /** What is authorised and not booked. */
  heldAt(moment: number): number {
    return this.rows.reduce(
      (sum, row) => (row.pending && row.from <= moment && moment < row.until ? sum + row.amount : sum),
      0,
    );
  }

  /** Adds a posting with its row. */
  post(moment: number, amount: number, text: string): Row {
    const posting: Posting = { id: this.newId(), at: moment, day: dayOf(moment), amount, text, heldAt: null };
    this.books.postings.push(posting);
    const [row] = toRows(posting, true);
    this.rows.push(row!);
    return row!;
  }

  /** Ends a row and lists it in another way from then on. */
  change(row: Row, moment: number, changes: Partial<Row>): Row {
    const next = { ...row, ...changes, from: moment };
    row.until = moment;
    this.rows.push(next);
    return next;
  }

  /** Posted rows, perhaps those only that are first listed at or after a moment. */
  posted(since = -Infinity): Row[] {
    return this.rows.filter((row) => !row.pending && row.from >= since);
  }

  /** The answers of some time. */
  during([from, until]: readonly [number, number]): Answer[] {
    return this.answers.filter((answer) => from <= answer.at && answer.at < until);
  }

  bankDay(moment: number): number {
    return dayOf(moment + this.bankHours * 3_600_000);
  }

  personDay(moment: number): number {
    return dayOf(moment + this.personHours * 3_600_000);
  }

  answer(): void {
    const seenOn = new Map<string, number>();
    this.answers = this.syncs.map((moment, index) => {
      const overlapFrom = dayOf(this.syncs[index - 1] ?? 0) - 5;
      const coveredFrom = index === 0 ? FIRST_DAY - 5 : Math.min(dayOf(moment) + 1 - WINDOW_DAYS, overlapFrom);
      const rows = this.rows.filter(
        (row) =>
          row.from <= moment && moment < row.until && row.day >= coveredFrom && (!row.pending || this.includePending),
      );
      for (const row of rows.filter(({ isUndated }) => isUndated)) {
        row.day = seenOn.get(row.id) ?? dayOf(moment);
        seenOn.set(row.id, row.day);
      }
      const report = { amount: this.bookAt(moment), day: null, trueAt: moment, isObvious: false, isPlain: true };
      return { at: moment, rows, report, complete: true, coveredFrom };
    });
  }
}

function toRows(posting: Posting, keepsId: boolean): Row[] {
  const { id, at: from, day, amount, text, heldAt } = posting;
  const row: Row = { id, day, amount, text, pending: false, from, until: Infinity, of: [posting] };
  if (heldAt === null || heldAt >= from) return [row];
  return [{ ...row, id: keepsId ? id : `p-${id}`, day: dayOf(heldAt), pending: true, from: heldAt, until: from }, row];
}

const TYPES = { checking: 'depository', savings: 'depository', card: 'credit_card', loan: 'loan' } as const;

export function typeOf({ books, type }: World): AccountType {
  return type ?? TYPES[books.persona];
}

/** An answer as the product gets it. */
export function toSnapshot(world: World, { at: moment, rows, report, complete, coveredFrom }: Answer): SnapshotAccount {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    externalId: 'account',
    name: 'Account',
    institution: 'A bank',
    currency: 'USD',
    balance: report && {
      amountMinor: report.amount,
      availableMinor: null,
      date: report.day === null ? null : dateOfDayNumber(report.day),
    },
    suggestedType: typeOf(world),
    transactions: [...byId.values()].map(({ id, day, amount, text, pending, isUndated, currency }) => ({
      externalId: id,
      date: dateOfDayNumber(isUndated ? dayOf(moment) : day),
      ...(isUndated && { dateIsGuess: true as const }),
      amountMinor: amount,
      currency: currency ?? 'USD',
      description: text,
      merchant: null,
      pending,
    })),
    covered: complete ? [{ from: dateOfDayNumber(coveredFrom), until: dateOfDayNumber(dayOf(moment)) }] : [],
    unreadableRows: 0,
    holdings: { status: 'unknown' },
  };
}
