import { createHash } from 'node:crypto';
import { accountTypeByName } from '../bank-provider/account-type-by-name.js';
import type { SnapshotBalance, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { oneLine, withoutMarkup } from '../bank-provider/text.js';
import { currencyCode, minorDigits } from '../money/currency.js';
import { parseMinor } from '../money/minor-units.js';
import { type CalendarDate, isCalendarDate } from '../time/calendar-date.js';
import type { WireAccount, WireBalance, WireTransaction } from './payload.js';

const MAX_NAME_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 500;
/** Behind these there are brokers only. */
const BROKERAGE = new Set(['snaptrade']);

export function accountName({ name }: WireAccount): string {
  return line(name) ?? 'Unnamed account';
}

export function institutionOf({ institution_name }: WireAccount): string | null {
  return line(institution_name);
}

/** An ISO 4217 code, or what stands in its place, "BTC"; `null` when nothing is told. */
export function currencyText(currency: string | null | undefined): string | null {
  return currencyCode(currency) ?? line(currency);
}

/** Whether it is told, and that it is still connected: an absent state is a good one, an unknown one is not. */
export function isConnected({ status }: WireAccount): boolean {
  const state = status?.trim() ?? '';
  return state === '' || /^active$/i.test(state);
}

/** A guess from holdings, name and upstream, in this order of trust. `null` when nothing gives it away. */
export function guessAccountType({ name, provider }: WireAccount, hasHoldings: boolean): string | null {
  const named = accountTypeByName(name);
  if (hasHoldings) return named === 'crypto' ? named : 'investment';
  return named ?? (BROKERAGE.has(provider?.trim().toLowerCase() ?? '') ? 'investment' : null);
}

/**
 * @param currency ISO 4217 code
 * @returns in its minor unit; `null` when it is not told or cannot be read
 */
export function mapBalance(wire: WireBalance, currency: string): SnapshotBalance | null {
  const current = wire.amount ?? wire.current;
  const amountMinor = minorOf(current ?? wire.available, currency);
  if (amountMinor === null) return null;
  // It is of the moment of asking, since the provider does not say of which.
  return {
    amountMinor,
    availableMinor: (current ?? null) === null ? null : minorOf(wire.available, currency),
    date: null,
  };
}

/**
 * @param accountCurrency ISO 4217 code, for the rows that leave theirs out; `null`: not known
 * @param keys ids for the pending rows of this answer that have none
 * @returns `null` for what cannot be read; a booked row without an id is a fault, since nothing would tell it again
 */
export function mapTransaction(
  wire: WireTransaction,
  accountCurrency: string | null,
  keys: ContentKeys,
): SnapshotTransaction | null {
  const currency = currencyCode(wire.currency) ?? (line(wire.currency) === null ? accountCurrency : null);
  const amountMinor = currency === null ? null : minorOf(wire.amount, currency);
  const date = dayOf(wire.date);
  const pending = wire.isPending ?? wire.pending ?? false;
  if (currency === null || amountMinor === null || date === null || (!wire.id && !pending)) return null;
  const merchant = label(wire.merchant, MAX_NAME_CHARS) ?? label(wire.merchant_name, MAX_NAME_CHARS);
  const description = label(wire.description, MAX_DESCRIPTION_CHARS) ?? merchant ?? '';
  const externalId = wire.id ?? keys.next({ date, amountMinor, currency, description, merchant });
  return { externalId, date, amountMinor, currency, description, merchant, pending };
}

/**
 * Ids for the pending rows of one answer that come without: made of what a row says, and of how many rows before it say
 * the same, since two equal tickets of one day are two purchases. The same answer always gives the same ids.
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
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
    const occurrence = (this.#seen.get(hash) ?? 0) + 1;
    this.#seen.set(hash, occurrence);
    return `pending-${hash}-${occurrence}`;
  }
}

/** A calendar day, or a moment of which the day is taken as it is written: a time zone would move it. */
function dayOf(text: string): CalendarDate | null {
  if (isCalendarDate(text)) return text;
  const [, day = ''] = /^\s*(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text) ?? [];
  return isCalendarDate(day) ? day : null;
}

function minorOf(text: string | null | undefined, currency: string): number | null {
  return parseMinor(text?.trim() ?? '', minorDigits(currency)!);
}

/** A raw bank memo as one line; `null` for nothing, and for the word that some upstream writes in its place. */
function label(text: string | null | undefined, maxChars: number): string | null {
  const words = line(withoutMarkup(text?.slice(0, maxChars * 4) ?? ''), maxChars);
  return words === 'undefined' ? null : words;
}

/** As one line; `null` for nothing. */
function line(text: string | null | undefined, maxChars = MAX_NAME_CHARS): string | null {
  return oneLine(text ?? '', maxChars) || null;
}
