import { hash } from 'node:crypto';
import { accountTypeByName } from '../bank-provider/account-type-by-name.js';
import type { SnapshotBalance, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { dayOf, lineOf, minorOf, rowCurrency, withoutMarkup } from '../bank-provider/read-values.js';
import type { WireAccount, WireBalance, WireTransaction } from './payload.js';

const MAX_NAME_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 500;
/** Upstream providers that connect brokers only. */
const BROKERAGE = new Set(['snaptrade']);

export function institutionOf({ institution_name }: WireAccount): string | null {
  return lineOf(institution_name);
}

/** Whether the provider still reads the account. No state means yes, an unknown one means no. */
export function isConnected({ status }: WireAccount): boolean {
  const state = status?.trim() ?? '';
  return state === '' || /^active$/i.test(state);
}

/** Guesses the type from holdings, name with balance, and upstream provider, in this order; `null`: unknown. */
export function guessAccountType(
  { name, provider }: WireAccount,
  balance: SnapshotBalance | null,
  hasHoldings: boolean,
): string | null {
  const named = accountTypeByName(name, balance);
  if (hasHoldings) return named === 'crypto' ? named : 'investment';
  return named ?? (BROKERAGE.has(provider?.trim().toLowerCase() ?? '') ? 'investment' : null);
}

/** What counts as the balance. */
export function reportedAmount(wire: WireBalance | null): string | null | undefined {
  return wire?.amount ?? wire?.current ?? wire?.available;
}

/**
 * @param currency ISO 4217 code
 * @returns amounts in its minor unit; `null`: not reported or unreadable
 */
export function mapBalance(wire: WireBalance, currency: string): SnapshotBalance | null {
  const current = wire.amount ?? wire.current;
  const amountMinor = minorOf(reportedAmount(wire), currency);
  if (amountMinor === null) return null;
  // The provider reports no date for its balance.
  return {
    amountMinor,
    availableMinor: (current ?? null) === null ? null : minorOf(wire.available, currency),
    date: null,
  };
}

/**
 * @param accountCurrency ISO 4217 code for rows without a currency; `null`: unknown
 * @param keys makes ids for pending rows without one
 * @returns `null`: unreadable, or a posted row without an id, which could not be recognised later
 */
export function mapTransaction(
  wire: WireTransaction,
  accountCurrency: string | null,
  keys: ContentKeys,
): SnapshotTransaction | null {
  const currency = rowCurrency(wire.currency, accountCurrency);
  const amountMinor = currency === null ? null : minorOf(wire.amount, currency);
  const written = writtenOf(wire.date);
  const pending = wire.isPending ?? wire.pending ?? false;
  if (currency === null || amountMinor === null || written === null || (!wire.id && !pending)) return null;
  const merchant = label(wire.merchant, MAX_NAME_CHARS) ?? label(wire.merchant_name, MAX_NAME_CHARS);
  const description = label(wire.description, MAX_DESCRIPTION_CHARS) ?? merchant ?? '';
  const externalId = wire.id ?? keys.next({ ...written, amountMinor, currency, description, merchant });
  return { externalId, ...written, amountMinor, currency, description, merchant, pending };
}

/**
 * Makes ids for the pending rows of one answer that have none: a hash of the content, and the number of equal rows
 * before it, because two equal rows are two purchases. The same answer always gives the same ids.
 */
export class ContentKeys {
  readonly #seen = new Map<string, number>();

  next({
    date,
    amountMinor,
    currency,
    merchant,
    description,
  }: Omit<SnapshotTransaction, 'externalId' | 'pending'>): string {
    const content = JSON.stringify([date, amountMinor, currency, merchant, description]);
    const digest = hash('sha256', content, 'base64url').slice(0, 22);
    const occurrence = (this.#seen.get(digest) ?? 0) + 1;
    this.#seen.set(digest, occurrence);
    return `pending-${digest}-${occurrence}`;
  }
}

/** A day, perhaps with a time of the bank's own zone, or a moment, whose time names its distance to UTC. */
const DATE = /^\s*(\d{4}-\d{2}-\d{2})(?!\d)(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:\d{2}))?/i;
const WHOLE = /^(00|12):00(:00(\.0+)?)?$/;

function writtenOf(text: string): Pick<SnapshotTransaction, 'date' | 'moment'> | null {
  const [, day = '', time = '', offset = ''] = DATE.exec(text) ?? [];
  const date = dayOf(day);
  if (date === null) return null;
  const unixSeconds = Math.floor(Date.parse(`${day}T${time}${offset.toUpperCase()}`) / 1000);
  // Without an offset, or with an hour that does not exist, only the day is known.
  if (offset === '' || Number.isNaN(unixSeconds)) return { date };
  return { date, moment: { unixSeconds, isWhole: WHOLE.test(time) } };
}

/** A bank's memo as one line; `null` for none, and for the word “undefined”, which some upstream provider sends. */
function label(text: string | null | undefined, maxChars: number): string | null {
  const words = lineOf(withoutMarkup(text?.slice(0, maxChars * 4) ?? ''), maxChars);
  return words === 'undefined' ? null : words;
}
