import type { Read, Unread } from './feed/holdings.js';
import { isBeyondLimit } from './read-values.js';
import { currencyUnit } from '../platform/money/currency-text.js';
import type { ProviderProblem } from './provider-error.js';
import type { CalendarDate } from '../platform/time/calendar-date.js';
import type { TransactionHistory } from './transaction-history.js';

// The problems of an account that all vendors share, in sentences for a person. They say nothing of “this account”,
// because a page tells the same problem of several accounts once.

export const NO_CURRENCY: ProviderProblem = {
  kind: 'data_incomplete',
  message: 'The provider reports no currency, so no balance can be counted.',
};

/**
 * @param currency as the provider writes it
 * @param transactions how many transactions were left out
 */
export function unsupportedCurrency(currency: string, transactions: number): ProviderProblem {
  const rows = `; ${rowsInWords(transactions)} ${transactions === 1 ? 'is' : 'are'} left out of this sync`;
  return {
    kind: 'unsupported_currency',
    message:
      `The currency is ${currencyUnit(currency)}, which Tidemark does not support. ` +
      `The balance is shown as the provider reports it${transactions === 0 ? '' : rows}.`,
  };
}

export const NO_BALANCE: ProviderProblem = {
  kind: 'data_incomplete',
  message: 'The balance was not updated, because the provider reports none.',
};

/** @param date a day that has not come anywhere yet */
export function balanceOfFuture(date: CalendarDate): ProviderProblem {
  const message = `The provider dates the balance ${date}, a day to come. It counts as of today.`;
  return { kind: 'data_incomplete', message };
}

const UNREADABLE_BALANCE: ProviderProblem = {
  kind: 'unexpected_reply',
  message: 'The balance could not be read and was not updated.',
};

const BALANCE_TOO_LARGE: ProviderProblem = {
  kind: 'amount_too_large',
  message: 'The balance is larger than Tidemark can keep exactly, so it was not updated.',
};

/**
 * @param text a reported balance of which there is no amount
 * @param currency ISO 4217 code
 */
export function unreadableBalance(text: string | null | undefined, currency: string): ProviderProblem {
  return isBeyondLimit(text, currency) ? BALANCE_TOO_LARGE : UNREADABLE_BALANCE;
}

/** Which holding, and what is wrong with it. */
export function unreadableHoldings({ issue, isTooLarge }: Unread): ProviderProblem {
  if (isTooLarge) return { kind: 'amount_too_large', message: `The holdings were not updated: ${issue}.` };
  const message = `The holdings could not be read and were not updated: ${issue}.`;
  return { kind: 'unexpected_reply', message };
}

/** @param total of the holdings, which were read */
export function unreadableTotal(total: Read<unknown>): ProviderProblem[] {
  if (total.issue === null) return [];
  const [kind, why] = total.isTooLarge
    ? (['amount_too_large', 'is larger than Tidemark can keep exactly'] as const)
    : (['unexpected_reply', 'could not be read'] as const);
  return [{ kind, message: `The total of the holdings ${why} and was left out. The holdings were updated.` }];
}

/**
 * @param id external id; `null` when not even the id is valid
 * @param issue the validation issue, with its place
 */
export function unreadableAccount(id: string | null, issue: string): ProviderProblem {
  const message = `The provider’s answer is not as expected at ${issue}. That part of it was left out.`;
  return { kind: 'unexpected_reply', message, ...(id === null ? {} : { accountExternalId: id }) };
}

const MAX_NAMED_LISTINGS = 3;

/**
 * @param facts in what its listings contradict each other: "balance"
 * @param names those of its listings
 */
export function contradictingAccount(
  accountExternalId: string,
  facts: readonly string[],
  names: readonly string[],
): ProviderProblem {
  const list = new Intl.ListFormat('en');
  const more = names.length - MAX_NAMED_LISTINGS;
  const named = names.slice(0, MAX_NAMED_LISTINGS).map((name) => `“${name}”`);
  const message =
    `The provider lists one account more than once, each time with another ${list.format(facts)}: ` +
    `${list.format(more > 0 ? [...named, `${more} more`] : named)}. What it says of that account was left out.`;
  return { kind: 'unexpected_reply', message, accountExternalId };
}

export function* problemsOfRows({
  unreadable,
  foreign,
  ambiguous,
  tooOld,
  oldestDate,
  strayDate,
  transactions,
}: TransactionHistory): Generator<ProviderProblem> {
  const { count, tooLargeCount } = unreadable;
  if (count > tooLargeCount) yield leftOut(count - tooLargeCount, 'could not be read');
  if (tooLargeCount > 0) {
    const why = 'came with an amount larger than Tidemark can keep exactly';
    yield { ...leftOut(tooLargeCount, why), kind: 'amount_too_large' };
  }
  if (foreign.count > 0) yield leftOut(foreign.count, 'came with the id of another account');
  if (ambiguous.count > 0) yield leftOut(ambiguous.count, 'came under the id of another one');
  if (oldestDate !== null) {
    const why = `came with a date years before the requested days, the oldest with ${oldestDate},`;
    yield leftOut(tooOld.count, why);
  }
  // A pending one may have none.
  const undated = transactions.filter(({ dateIsGuess, pending }) => dateIsGuess && !pending).length;
  if (undated > 0) {
    const what = `${rowsInWords(undated)} came without a date that can be read`;
    const [count, them] = undated === 1 ? ['counts', 'it'] : ['count', 'them'];
    const message = `${what} and ${count} on the day of the first sync that brought ${them}.`;
    yield { kind: 'unexpected_reply', message };
  }
  if (strayDate !== null) {
    const what = `A transaction is dated ${strayDate}, far outside the requested days.`;
    yield { kind: 'data_incomplete', message: `${what} It keeps that date; check it with the bank.` };
  }
}

function leftOut(count: number, why: string): ProviderProblem {
  const message = `${rowsInWords(count)} ${why} and ${count === 1 ? 'was' : 'were'} left out.`;
  return { kind: 'unexpected_reply', message };
}

function rowsInWords(count: number): string {
  return count === 1 ? '1 transaction' : `${count} transactions`;
}
