import { addDays, type CalendarDate, daysBetween } from '../time/calendar-date.js';

/** What one account is worth on the sampled days it has records of: owned is positive, owed negative. Minor units. */
export interface AccountWorth {
  accountId: string;
  currency: string;
  /** The first sampled day with a record; `null`: all its records are older than the samples. */
  firstDay: CalendarDate | null;
  /** One a sampled day from `firstDay` on, without a gap. */
  values: readonly number[];
  /** Of its newest record. */
  latest: number;
  /** Whether it counts on after its newest record: its bank still lists it, and it is still synced. */
  goesOn: boolean;
}

/** The days that are looked at: every `step` days, and the last one always. */
export interface SampledDays {
  from: CalendarDate;
  to: CalendarDate;
  step: number;
}

/** Everything a person owns and owes in one currency. Currencies are never added up. */
export interface CurrencyWorth {
  currency: string;
  accounts: number;
  /** One a sampled day. */
  days: readonly CalendarDate[];
  values: readonly number[];
  latest: number;
  /** Since the first sampled day. */
  change: number;
  /** Accounts whose history begins later than the first sampled day. */
  beginLater: number;
}

/** At most `maxSamples` days from `from` to `to`, as evenly as whole days allow. `from` moves to the first sample. */
export function sampleDays(from: CalendarDate, to: CalendarDate, maxSamples: number): SampledDays {
  const days = Math.max(0, daysBetween(from, to));
  const step = Math.max(1, Math.ceil(days / (maxSamples - 1)));
  return { from: addDays(to, -Math.floor(days / step) * step), to, step };
}

/**
 * Adds accounts up by currency, the currency with most accounts first. After its last record an account that is still
 * synced counts what it was worth then, and before its first what it was worth on that day: neither a connection that
 * has not synced today nor one made yesterday makes a person poorer or richer.
 */
export function worthByCurrency(accounts: readonly AccountWorth[], sampled: SampledDays): CurrencyWorth[] {
  const currencies = [...new Set(accounts.map(({ currency }) => currency))];
  return currencies
    .map((currency) =>
      currencyWorth(
        currency,
        accounts.filter((account) => account.currency === currency),
        sampled,
      ),
    )
    .sort((a, b) => b.accounts - a.accounts || (a.currency < b.currency ? -1 : 1));
}

function currencyWorth(currency: string, accounts: readonly AccountWorth[], sampled: SampledDays): CurrencyWorth {
  const { from, to, step } = sampled;
  const days = Array.from({ length: daysBetween(from, to) / step + 1 }, (_, i) => addDays(from, i * step));
  const offsets = accounts.map(({ firstDay }) => (firstDay === null ? 0 : daysBetween(from, firstDay) / step));
  const values = days.map((_, i) =>
    accounts.reduce((sum, account, at) => sum + valueAt(account, i - (offsets[at] ?? 0)), 0),
  );
  const latest = values.at(-1) ?? 0;
  const beginLater = offsets.filter((offset) => offset > 0).length;
  return { currency, accounts: accounts.length, days, values, latest, change: latest - (values[0] ?? 0), beginLater };
}

function valueAt({ values, latest, goesOn }: AccountWorth, index: number): number {
  return values[Math.max(0, index)] ?? (goesOn ? latest : 0);
}
