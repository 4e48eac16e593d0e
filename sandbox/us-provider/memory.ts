import { dateOfUnixSeconds, type CalendarDate } from '../../src/platform/time/calendar-date.js';
import type { AccountsQuery } from './query.js';
import type { Turn } from './scenario.js';

/** Beyond it the oldest codes are dropped; they can be claimed again. */
const MOST_CODES = 10_000;

interface Remembered {
  spent: boolean;
  /** The scenario that replaces the code's own, if any. */
  scenario: string | null;
  requests: number;
  visit: number;
  /** What the client got in this sync. */
  given: Set<string>;
  requestsByDay: Map<string, number>;
}

/** The server's state for each code. */
export class UsProviderMemory {
  readonly #codes = new Map<string, Remembered>();

  /** Spends a single-use code; `false` when it was spent before. */
  spend(code: string): boolean {
    const remembered = this.#of(code);
    if (remembered.spent) return false;
    remembered.spent = true;
    return true;
  }

  /** Switches the code to another scenario. */
  play(code: string, scenario: string): void {
    const { spent } = this.#of(code);
    this.#codes.set(code, { ...nothing(), spent, scenario });
  }

  scenarioOf(code: string): string | null {
    return this.#codes.get(code)?.scenario ?? null;
  }

  /** Counts a request. */
  turn(code: string, query: AccountsQuery, today: CalendarDate): Turn {
    const remembered = this.#of(code);
    const { given, requestsByDay } = remembered;
    remembered.requests += 1;
    if (given.has(wantOf(query, today))) {
      remembered.visit += 1;
      given.clear();
    }
    const bucket = `${today} ${query.accountIds.length === 0 ? 'whole set' : 'by account'}`;
    const requestsToday = (requestsByDay.get(bucket) ?? 0) + 1;
    requestsByDay.set(bucket, requestsToday);
    const busiestDay = Math.max(...requestsByDay.values());
    return { query, today, request: remembered.requests, visit: remembered.visit, requestsToday, busiestDay };
  }

  /** Notes that a request was answered with data. */
  gave(code: string, query: AccountsQuery, today: CalendarDate): void {
    const want = wantOf(query, today);
    if (want !== PAST_WINDOW) this.#of(code).given.add(want);
  }

  #of(code: string): Remembered {
    const remembered = this.#codes.get(code) ?? nothing();
    if (!this.#codes.has(code) && this.#codes.size >= MOST_CODES) {
      const oldest = this.#codes.keys().next();
      if (!oldest.done) this.#codes.delete(oldest.value);
    }
    this.#codes.set(code, remembered);
    return remembered;
  }
}

const PAST_WINDOW = 'past window';

/** The kinds of requests in a sync: today's balances, the newest window, older windows. */
function wantOf({ startAt, endAt, balancesOnly, accountIds }: AccountsQuery, today: CalendarDate): string {
  const reachesToday = endAt === null || dateOfUnixSeconds(endAt) >= today;
  if (startAt !== null && !balancesOnly && !reachesToday) return PAST_WINDOW;
  const part = startAt === null || balancesOnly ? 'balances' : 'newest window';
  return [part, ...accountIds].join(' ');
}

function nothing(): Remembered {
  return { spent: false, scenario: null, requests: 0, visit: 1, given: new Set(), requestsByDay: new Map() };
}
