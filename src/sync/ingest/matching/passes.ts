import { MAX_DAYS_MOVED } from '../../../balances/engine/ledger.js';
import { earliest } from '../../../platform/time/calendar-date.js';
import type { Pass, Row, Rule, StoredRow } from './pair-rows.js';

const MOVED = [-MAX_DAYS_MOVED, MAX_DAYS_MOVED] as const;
/** Rows that agree in less, or come from two lists, must be nearer. */
const NEAR = [-5, 5] as const;

/** A pending transaction is posted within this many days, or not at all. */
const POSTING = [0, 10] as const;

const SAME_DAY = [0, 0] as const;

/** Of a text that another one may begin with; the beginnings of each posted text are looked up. */
const MAX_WORDS = 8;
/** What a pending text may be before the bank knows the merchant. */
const WAY_OF_PAYING =
  /^(\d+|ach|atm|auth|authori[sz]ation|card|checkcard|contactless|credit|debit|deposit|from|hold|mastercard|mobile|on|online|payment|pending|pos|pre|preauth|purchase|recurring|sale|the|to|transaction|transfer|visa|withdrawal)$/;

/**
 * What rows are, as far as they have no pair yet. Stored ones:
 * - `missing`: of the listed days, and not listed; `withdrawable`: of these the posted ones whose absence means something;
 * - `withdrawn`: no longer part of the list;
 * - `vanished`: pending, and no longer listed; `named`: with a text; `text only`: with a text that may be a merchant's, and
 *   no merchant;
 * - `posted`: without a listed pending one.
 *
 * Listed ones:
 * - `new`: not stored; `undated`: with a guessed date; `other date`: whose moment may have been read as another day;
 * - `listed pending`: not stored as posted; `late pending`: of these those that are not stored at all.
 */
export type State =
  | 'missing'
  | 'withdrawable'
  | 'withdrawn'
  | 'vanished'
  | 'vanished named'
  | 'vanished text only'
  | 'posted'
  | 'new'
  | 'new undated'
  | 'new other date'
  | 'new posted'
  | 'new posted named'
  | 'listed pending'
  | 'late pending';

/**
 * What a pair is:
 * - `renamed`: one row under another id;
 * - `restored`: a withdrawn transaction that is listed again;
 * - `booked`: a pending transaction and the posted one that it became;
 * - `late`: a pending transaction that is first listed after it was posted, and the posted one;
 * - `reissued`: one transaction under another id and with another date or other texts;
 * - `superseded`: two transactions, of which the second takes the place of the first.
 */
export type Outcome = 'renamed' | 'restored' | 'booked' | 'late' | 'reissued' | 'superseded';

/**
 * How the transactions of an answer are recognized, in this order. Some banks mint new ids for every answer, and most give
 * no link between a pending transaction and the posted one; the first pass follows it where there is one. Equal purchases
 * keep their number.
 *
 * A posted transaction must agree with its pending one in amount and currency. One that is still listed was rarely posted,
 * and never by another merchant. One that is no longer listed may be posted with another amount (a tip, a pump that
 * authorised more than was filled): then the merchant must agree, or, where the pending one names none, the posted text
 * must begin with its text.
 *
 * With another amount and equal texts, which is how provisional rows become final, two rows stay two transactions.
 */
export const PASSES: readonly Pass<State, Outcome>[] = [
  { is: 'booked', of: 'vanished', to: 'new posted', key: by(pendingIdOf), days: null, how: 'nearest' },
  { is: 'renamed', of: 'missing', to: 'new', key: by(stateAndTexts), days: SAME_DAY, how: 'nearest' },
  {
    is: 'renamed',
    of: 'missing',
    to: 'new other date',
    key: by(stateAndTexts),
    days: SAME_DAY,
    how: 'nearest',
    date: ({ date, otherDate }) => otherDate ?? date,
  },
  { is: 'renamed', of: 'missing', to: 'new undated', key: by(stateAndTexts), days: null, how: 'nearest' },
  { is: 'restored', of: 'withdrawn', to: 'new posted', key: by(externalId), days: null, how: 'nearest' },
  { is: 'restored', of: 'withdrawn', to: 'new posted', key: by(amountAndTexts), days: SAME_DAY, how: 'nearest' },
  booked({ of: 'vanished', to: 'new posted', key: by(amountOf) }),
  booked({ of: 'listed pending', to: 'new posted', key: by(amountOf), agree: mayShareMerchant }),
  booked({ of: 'vanished named', to: 'new posted named', key: by(merchantOf) }),
  booked({ of: 'vanished text only', to: 'new posted named', key: beginningsOf, agree: beginsWith }),
  booked({ is: 'late', of: 'late pending', to: 'posted', key: by(amountAndMerchant), date: madeOn }),
  { is: 'reissued', of: 'withdrawable', to: 'new posted', key: by(amountAndTexts), days: MOVED, how: 'nearest' },
  { is: 'reissued', of: 'withdrawable', to: 'new posted', key: by(amountOf), days: NEAR, how: 'alone' },
  { is: 'superseded', of: 'withdrawable', to: 'new posted', key: by(signAndTexts), days: NEAR, how: 'alone' },
];

/** A row that a bank lists on another day, where its ids mean nothing. */
export const REDATED = { key: by(stateAndTexts), days: MOVED, how: 'nearest' } as const;

export type MergeState =
  | 'kept'
  | 'kept of shared days'
  | 'kept of other days'
  | 'arrived'
  | 'arrived of shared days'
  | 'arrived of other days';

/**
 * How the transactions of two accounts that are merged are recognized. Only days that both list can show one transaction
 * twice. One that was moved across the edge of those days must agree in its texts, too.
 */
export const MERGE_PASSES: readonly Pass<MergeState, 'same'>[] = [
  { is: 'same', of: 'kept', to: 'arrived', key: by(idAndAmount), days: null, how: 'nearest' },
  {
    is: 'same',
    of: 'kept of shared days',
    to: 'arrived of shared days',
    key: by(amountOf),
    days: NEAR,
    how: 'nearest',
  },
  {
    is: 'same',
    of: 'kept of shared days',
    to: 'arrived of other days',
    key: by(amountAndTexts),
    days: NEAR,
    how: 'nearest',
  },
  {
    is: 'same',
    of: 'kept of other days',
    to: 'arrived of shared days',
    key: by(amountAndTexts),
    days: NEAR,
    how: 'nearest',
  },
];

/** Pending transactions that are equal in everything do not compete, because it does not matter which of them was posted. */
function booked(
  pass: Pick<Pass<State, Outcome>, 'of' | 'to' | 'key' | 'agree' | 'date'> & { is?: Outcome },
): Pass<State, Outcome> {
  return { is: 'booked', days: POSTING, how: 'alone', equal: contentOf, ...pass };
}

function by(key: (row: Row) => string | null): Rule['key'] {
  return () => key;
}

function externalId(row: Row): string {
  return row.externalId;
}

/** The id while pending: of a stored one its own; of a listed one what the vendor says. */
function pendingIdOf(row: Row): string | null {
  return 'id' in row ? row.externalId : (row.pendingId ?? null);
}

function amountOf({ amountMinor, currency }: Row): string {
  return `${amountMinor} ${currency}`;
}

function idAndAmount(row: Row): string {
  return `${amountOf(row)} ${row.externalId}`;
}

function amountAndMerchant({ amountMinor, currency, merchant }: Row): string {
  return JSON.stringify([amountMinor, currency, merchant]);
}

export function amountAndTexts({ amountMinor, currency, description, merchant }: Row): string {
  return JSON.stringify([amountMinor, currency, description, merchant]);
}

/** A refund does not supersede a purchase. */
function signAndTexts({ amountMinor, currency, description, merchant }: Row): string {
  return JSON.stringify([Math.sign(amountMinor), currency, description, merchant]);
}

/** Everything but the external id and the date. */
function stateAndTexts(row: Row): string {
  return `${row.pending} ${amountAndTexts(row)}`;
}

/** Everything but the external id. */
export function contentOf(row: Row): string {
  return `${row.date} ${stateAndTexts(row)}`;
}

/** The same as comparing their contents, but faster: most rows of most answers are stored as they are listed. */
export function hasSameContent(one: Row, other: Row): boolean {
  return (
    one.date === other.date &&
    one.amountMinor === other.amountMinor &&
    one.currency === other.currency &&
    one.pending === other.pending &&
    one.description === other.description &&
    one.merchant === other.merchant
  );
}

/** The merchant, the currency and the direction: a refund does not match a purchase. */
function merchantOf({ amountMinor, currency, merchant, description }: Row): string {
  return JSON.stringify([Math.sign(amountMinor), currency, (merchant ?? description).toLowerCase()]);
}

/** Where the pending one is known, its id may have changed: then it was made no later than on the day of the first storing. */
function madeOn(row: Row): string {
  const { holdExternalId, date, storedOn } = row as StoredRow;
  return holdExternalId === null ? date : earliest(date, storedOn);
}

/** Banks write a merchant in several ways, such as with a number, so one word in common is enough. */
function mayShareMerchant(one: Row, other: Row): boolean {
  if (one.merchant === null || other.merchant === null) return true;
  const words = wordsOf(other.merchant);
  return wordsOf(one.merchant).some((word) => words.includes(word));
}

function wordsOf(merchant: string): string[] {
  return merchant.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Banks add a place or a number to a text when they post it. */
function beginsWith(pending: Row, posted: Row): boolean {
  return `${textOf(posted)} `.startsWith(`${textOf(pending)} `);
}

/**
 * Returns a key that all texts with a common beginning share: the currency, the direction, and the shortest pending text
 * that the row begins with. So pending texts that begin with each other compete.
 */
function beginningsOf(pending: readonly Row[]): (row: Row) => string | null {
  const texts = new Set(pending.map(textOf));
  return (row) => {
    const words = wordsOf(row.description).slice(0, MAX_WORDS);
    const beginnings = words.map((_, index) => words.slice(0, index + 1).join(' '));
    const shortest = beginnings.find((beginning) => texts.has(beginning));
    return shortest === undefined ? null : JSON.stringify([Math.sign(row.amountMinor), row.currency, shortest]);
  };
}

function textOf({ description }: Row): string {
  return wordsOf(description).join(' ');
}

/** Whether a row without a merchant has a text that says more than how it was paid. */
export function namesMerchantInText({ merchant, description }: Row): boolean {
  const words = wordsOf(description);
  return merchant === null && words.length <= MAX_WORDS && words.some((word) => !WAY_OF_PAYING.test(word));
}

export function isNamed({ merchant, description }: Row): boolean {
  return (merchant ?? description).trim() !== '';
}
