import { dayNumber, type CalendarDate } from '../../time/calendar-date.js';
import {
  asHold,
  balanceMinor,
  type Account,
  type Connection,
  type Household,
  type HouseholdOn,
  type Transaction,
} from '../household.js';
import { stableId } from '../random.js';
import { ACCOUNT_PLANS, BANKS } from './accounts.js';
import { Brokerage } from './brokerage.js';
import { dayOf } from './day.js';
import { ACCOUNT_KEYS, Diary, type AccountKey, type Entry, type Habit } from './diary.js';
import { billHabits, salary, savingsInterest } from './income-and-bills.js';
import { spendingHabits } from './spending.js';
import { transferHabits } from './transfers.js';
import { yenHabits } from './yen-account.js';

const DAY_SECONDS = 86_400;
/** Purchases are made in the American day, in seconds after midnight UTC. */
const SHOPS_OPEN = 50_400;
const SHOPPING_SECONDS = 35_000;

/**
 * A household of six accounts that lives on from the day it moved in. On `today` the banks know everything booked
 * before that day's midnight UTC, and hold what was bought before and is not booked yet. The same seed gives the same
 * life for ever; a later day only adds to it.
 * Before it moved in it has opening balances and nothing else.
 */
export function lifelikeHousehold(seed = 'tidemark', movedIn: CalendarDate = '2023-01-01'): HouseholdOn {
  const life = new Life(seed, dayNumber(movedIn));
  return (today) => life.asKnownOn(today);
}

class Life {
  readonly #diary = new Diary((key) => ACCOUNT_PLANS[key].openingMinor);
  readonly #transactions = new Map<Entry, Transaction>();
  /** Entries so far by account and day, which number the ids of a day. */
  readonly #counts = new Map<string, number>();
  readonly #brokerage: Brokerage;
  readonly #habits: readonly Habit[];
  readonly #connections: readonly Connection[];
  #nextDay: number;

  constructor(
    private readonly seed: string,
    firstDay: number,
  ) {
    this.#nextDay = firstDay;
    this.#brokerage = new Brokerage(seed, firstDay);
    this.#habits = [
      salary,
      savingsInterest,
      ...billHabits(seed),
      ...transferHabits,
      ...spendingHabits(seed),
      ...yenHabits(seed),
      ...this.#brokerage.habits,
    ];
    this.#connections = Object.entries(BANKS).map(([key, institution]) => ({
      id: stableId('CON', seed, key),
      name: `${institution.name} - Rowan`,
      institution,
    }));
  }

  asKnownOn(today: CalendarDate): Household {
    const day = dayNumber(today);
    this.#liveUntil(day);
    return {
      today,
      connections: this.#connections,
      accounts: ACCOUNT_KEYS.map((key) => this.#account(key, day)),
    };
  }

  #liveUntil(day: number): void {
    for (; this.#nextDay < day; this.#nextDay++) {
      const plan = dayOf(this.#nextDay);
      for (const habit of this.#habits) habit(plan, this.#diary).forEach((entry) => this.#write(entry));
    }
  }

  #write(habitual: Entry): void {
    // A copy, since two equal purchases of a day are one object.
    const entry = { ...habitual };
    const accountDay = `${entry.account} ${entry.day}`;
    const countThatDay = this.#counts.get(accountDay) ?? 0;
    this.#counts.set(accountDay, countThatDay + 1);
    const id = stableId('TRN', this.seed, entry.account, entry.day, countThatDay);
    const posted = entry.postDay * DAY_SECONDS + ACCOUNT_PLANS[entry.account].bookedAtSecond;
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

  #account(key: AccountKey, today: number): Account {
    const plan = ACCOUNT_PLANS[key];
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
      holdings: key === 'brokerage' ? this.#brokerage.holdings(today - 1, this.#diary) : [],
    };
    return { ...account, availableMinor: available(account, plan.creditMinor) };
  }

  #transactionsOf(key: AccountKey, today: number): Transaction[] {
    const known = [...this.#transactions].filter(([entry]) => entry.account === key && entry.day < today);
    return known
      .map(([entry, transaction]) => (entry.postDay < today ? transaction : asHold(transaction)))
      .sort((one, other) => (one.posted ?? Infinity) - (other.posted ?? Infinity));
  }
}

function available(account: Account, creditMinor: number | null): number | null {
  if (creditMinor === null) return null;
  const holds = account.transactions.filter(({ posted }) => posted === null);
  return balanceMinor(account) + creditMinor + holds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
