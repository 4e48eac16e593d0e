import { dayNumber, type CalendarDate } from '../../src/platform/time/calendar-date.js';
import {
  asHold,
  balanceMinor,
  type HouseholdAccount,
  type HouseholdConnection,
  type HouseholdHolding,
  type Household,
  type HouseholdOn,
  type Institution,
  type HouseholdTransaction,
} from '../household.js';
import { stableId } from '../random.js';
import { dayOf } from './day.js';
import { Diary, type DiaryEntry, type Habit } from './diary.js';

export interface AccountPlan {
  /** A key of the plan's banks. */
  bank: string;
  name: string;
  currency: string;
  /** On the day the household moved in. */
  openingMinor: number;
  /** Seconds after midnight UTC at which the bank dates its bookings: noon, midnight, or the real hour. */
  bookedAtSecond: number;
  /** Seconds after midnight UTC at which the bank's data are refreshed. */
  refreshedAtSecond: number;
  /** What can be spent beyond the balance; `null`: the bank does not report the available balance. */
  creditMinor: number | null;
  openedAt: number | null;
}

/** A household: its accounts and its habits. */
interface LifePlan<Key extends string> {
  person: string;
  banks: Readonly<Record<string, Institution & Pick<HouseholdConnection, 'upstream'>>>;
  accounts: Readonly<Record<Key, AccountPlan>>;
  habits: readonly Habit<Key>[];
  /** What an account holds at the end of a day, beside cash. */
  holdings: (account: Key, day: number, diary: Diary<Key>) => HouseholdHolding[];
}

const DAY_SECONDS = 86_400;
/** Purchases are made at these times of the day, in seconds after midnight UTC. */
const SHOPS_OPEN = 50_400;
const SHOPPING_SECONDS = 35_000;
/** A sync asks many times for the same days. */
const KEPT_DAYS = 8;

/**
 * A household that follows its plan from its first day, before which it has only opening balances. On `today` the banks
 * list everything posted before midnight UTC, and earlier purchases as pending. The same seed always gives the same
 * data, and a later day only adds to it.
 */
export function lifeByPlan<Key extends string>(seed: string, plan: LifePlan<Key>, movedIn: CalendarDate): HouseholdOn {
  const life = new Life(seed, plan, dayNumber(movedIn));
  return (today) => life.asKnownOn(today);
}

class Life<Key extends string> {
  readonly #diary: Diary<Key>;
  readonly #transactions = new Map<DiaryEntry<Key>, HouseholdTransaction>();
  /** Entries so far by account and day, which number the ids of a day. */
  readonly #counts = new Map<string, number>();
  readonly #connections: readonly HouseholdConnection[];
  readonly #known = new Map<CalendarDate, Household>();
  #nextDay: number;

  constructor(
    private readonly seed: string,
    private readonly plan: LifePlan<Key>,
    firstDay: number,
  ) {
    this.#nextDay = firstDay;
    this.#diary = new Diary((key) => plan.accounts[key].openingMinor);
    this.#connections = Object.entries(plan.banks).map(([key, { upstream, ...institution }]) => ({
      id: stableId('CON', seed, key),
      name: `${institution.name} - ${plan.person}`,
      institution,
      ...(upstream === undefined ? {} : { upstream }),
    }));
  }

  asKnownOn(today: CalendarDate): Household {
    const known = this.#known.get(today);
    if (known) return known;
    const day = dayNumber(today);
    this.#liveUntil(day);
    const household = {
      today,
      connections: this.#connections,
      accounts: (Object.keys(this.plan.accounts) as Key[]).map((key) => this.#account(key, day)),
    };
    if (this.#known.size === KEPT_DAYS) this.#known.clear();
    this.#known.set(today, household);
    return household;
  }

  #liveUntil(today: number): void {
    for (; this.#nextDay < today; this.#nextDay++) {
      const day = dayOf(this.#nextDay);
      for (const habit of this.plan.habits) habit(day, this.#diary).forEach((entry) => this.#write(entry));
    }
  }

  #write(habitual: DiaryEntry<Key>): void {
    // A copy, since two equal purchases of a day are one object.
    const entry = { ...habitual };
    const accountDay = `${entry.account} ${entry.day}`;
    const countThatDay = this.#counts.get(accountDay) ?? 0;
    this.#counts.set(accountDay, countThatDay + 1);
    const id = stableId('TRN', this.seed, entry.account, entry.day, countThatDay);
    const posted = entry.postDay * DAY_SECONDS + this.plan.accounts[entry.account].bookedAtSecond;
    const bought = entry.day * DAY_SECONDS + SHOPS_OPEN + (Number.parseInt(id.slice(-6), 16) % SHOPPING_SECONDS);
    this.#diary.entries.push(entry);
    this.#transactions.set(entry, {
      id,
      originId: id,
      posted,
      transactedAt: entry.day < entry.postDay ? bought : posted,
      amountMinor: entry.amountMinor,
      ...entry.text,
    });
  }

  #account(key: Key, today: number): HouseholdAccount {
    const plan = this.plan.accounts[key];
    const account = {
      id: stableId('ACT', this.seed, key),
      connectionId: stableId('CON', this.seed, plan.bank),
      name: plan.name,
      currency: plan.currency,
      openingMinor: plan.openingMinor,
      availableMinor: null,
      refreshedAt: today * DAY_SECONDS + plan.refreshedAtSecond,
      openedAt: plan.openedAt,
      transactions: this.#transactionsOf(key, today),
      holdings: this.plan.holdings(key, today - 1, this.#diary),
    };
    return { ...account, availableMinor: available(account, plan.creditMinor) };
  }

  #transactionsOf(key: Key, today: number): HouseholdTransaction[] {
    const known = [...this.#transactions].filter(([entry]) => entry.account === key && entry.day < today);
    return known
      .map(([entry, transaction]) => (entry.postDay < today ? transaction : asHold(transaction)))
      .sort((one, other) => (one.posted ?? Infinity) - (other.posted ?? Infinity));
  }
}

function available(account: HouseholdAccount, creditMinor: number | null): number | null {
  if (creditMinor === null) return null;
  const holds = account.transactions.filter(({ posted }) => posted === null);
  return balanceMinor(account) + creditMinor + holds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
