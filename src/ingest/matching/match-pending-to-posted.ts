import { dayNumber } from '../../time/calendar-date.js';
import { amountOf, byKeyAndDay, type ComparedTransaction, contentOf } from './pair-transactions.js';

/** A pending transaction is posted within this many days, or not at all. */
const MAX_DAYS_TO_POST = 10;

/** Of a text that another one may begin with; the beginnings of each posted text are looked up. */
const MAX_WORDS = 8;
/** What a pending text may be before the bank knows the merchant. */
const WAY_OF_PAYING =
  /^(\d+|ach|atm|auth|authori[sz]ation|card|checkcard|contactless|credit|debit|deposit|from|hold|mastercard|mobile|on|online|payment|pending|pos|pre|preauth|purchase|recurring|sale|the|to|transaction|transfer|visa|withdrawal)$/;

/** A pending transaction and the posted one that superseded it, by their external ids. */
export interface PostedPair {
  pendingId: string;
  postedId: string;
}

/**
 * Finds the pending transactions that were posted under a new id. Most banks give no link. A pair must agree exactly in
 * amount and currency, the posting date must be 0 to 10 days after the pending one, and neither side may have a second
 * candidate: an ambiguous pair stays two rows. Pending transactions that are equal in everything do not compete,
 * because it does not matter which of them was posted. Those that are no longer listed come first, because a pending
 * transaction that is still listed was rarely posted, and never by another merchant. One that is no longer listed may be
 * posted with another amount (a tip, a pump that authorised more than was filled): then the merchant must agree, or,
 * where the pending one names none, the posted text must begin with its text.
 *
 * @param stored pending transactions that are stored
 * @param listed pending transactions of the answer
 * @param posted posted transactions of the answer that are not stored yet
 */
export function matchPendingToPosted(
  stored: readonly ComparedTransaction[],
  listed: readonly ComparedTransaction[],
  posted: readonly ComparedTransaction[],
): PostedPair[] {
  const listedIds = new Set(listed.map(({ externalId }) => externalId));
  const unlisted = stored.filter(({ externalId }) => !listedIds.has(externalId));
  const vanishedPairs = pairByKey(unlisted, posted);
  const listedPairs = pairByKey(listed, unmatched(posted, vanishedPairs), amountOf, mayShareMerchant);
  const pairs = [...vanishedPairs, ...listedPairs];
  const [vanished, fresh] = [unmatched(unlisted, pairs).filter(isNamed), unmatched(posted, pairs).filter(isNamed)];
  const merchantPairs = pairByKey(vanished, fresh, merchantOf);
  const textOnly = unmatched(vanished, merchantPairs).filter(namesMerchantInText);
  const textPairs = pairByKey(textOnly, unmatched(fresh, merchantPairs), beginningsOf(textOnly), beginsWith);
  return [...pairs, ...merchantPairs, ...textPairs];
}

function unmatched(rows: readonly ComparedTransaction[], pairs: readonly PostedPair[]): ComparedTransaction[] {
  const matched = new Set(pairs.flatMap(({ pendingId, postedId }) => [pendingId, postedId]));
  return rows.filter(({ externalId }) => !matched.has(externalId));
}

/**
 * Finds the pending transactions, listed for the first time, that are stored as posted already. These must agree in the
 * merchant, too.
 *
 * @param posted stored posted transactions without a known pending one
 */
export function matchLatePending(
  pending: readonly ComparedTransaction[],
  posted: readonly ComparedTransaction[],
): PostedPair[] {
  return pairByKey(pending, posted, (row) => JSON.stringify([row.amountMinor, row.currency, row.merchant]));
}

/**
 * Pairs each posted transaction with one of the only group of equal pending transactions that it fits: the same key,
 * and 0 to 10 days before it.
 *
 * @param keyOf `null`: a posted row without one, which has no pair
 * @param mayPair an additional condition
 */
function pairByKey(
  pending: readonly ComparedTransaction[],
  posted: readonly ComparedTransaction[],
  keyOf: (row: ComparedTransaction) => string | null = amountOf,
  mayPair: (pending: ComparedTransaction, posted: ComparedTransaction) => boolean = () => true,
): PostedPair[] {
  // As in most answers; a first one may have 100,000 posted rows.
  if (pending.length === 0) return [];
  const groups = byKeyAndDay(
    Map.groupBy(pending, contentOf).values(),
    ([first]) => keyOf(first!)!,
    ([first]) => first!.date,
  );
  const candidates = new Map<ComparedTransaction[], ComparedTransaction[]>();
  /** By whole days, because a day may have thousands of groups. */
  const ambiguous = new Set<ComparedTransaction[][]>();
  for (const row of posted) {
    const sameKey = groups.get(keyOf(row) ?? '');
    if (!sameKey) continue;
    const day = dayNumber(row.date);
    const fitting = Array.from({ length: MAX_DAYS_TO_POST + 1 }, (_, days) => sameKey.get(day - days) ?? []);
    const [only, ...others] = fitting.filter((found) => found.length > 0);
    if (!only) continue;
    if (others.length > 0 || only.length > 1) for (const found of [only, ...others]) ambiguous.add(found);
    const group = only[0]!;
    if (!mayPair(group[0]!, row)) continue;
    const rows = candidates.get(group);
    if (rows) rows.push(row);
    else candidates.set(group, [row]);
  }
  for (const found of ambiguous) candidates.delete(found[0]!);
  return [...candidates].flatMap(([group, rows]) => (rows.length > group.length ? [] : pairInOrder(group, rows)));
}

/**
 * Takes the last of equal pending transactions first: their ids count them, and the remaining ones keep their numbers.
 */
function pairInOrder(group: readonly ComparedTransaction[], posted: readonly ComparedTransaction[]): PostedPair[] {
  return posted.map(({ externalId }, index) => ({
    pendingId: group[group.length - 1 - index]!.externalId,
    postedId: externalId,
  }));
}

/** Banks write a merchant in several ways, such as with a number, so one word in common is enough. */
function mayShareMerchant(one: ComparedTransaction, other: ComparedTransaction): boolean {
  if (one.merchant === null || other.merchant === null) return true;
  const words = wordsOf(other.merchant);
  return wordsOf(one.merchant).some((word) => words.includes(word));
}

function wordsOf(merchant: string): string[] {
  return merchant.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The merchant, the currency and the direction: a refund does not match a purchase. */
function merchantOf({ amountMinor, currency, merchant, description }: ComparedTransaction): string {
  return JSON.stringify([Math.sign(amountMinor), currency, (merchant ?? description).toLowerCase()]);
}

/** Banks add a place or a number to a text when they post it. */
function beginsWith(pending: ComparedTransaction, posted: ComparedTransaction): boolean {
  return `${textOf(posted)} `.startsWith(`${textOf(pending)} `);
}

/**
 * Returns a key that all texts with a common beginning share: the currency, the direction, and the shortest pending text
 * that the row begins with. So pending texts that begin with each other compete.
 */
function beginningsOf(pending: readonly ComparedTransaction[]): (row: ComparedTransaction) => string | null {
  const texts = new Set(pending.map(textOf));
  return (row) => {
    const words = wordsOf(row.description).slice(0, MAX_WORDS);
    const beginnings = words.map((_, index) => words.slice(0, index + 1).join(' '));
    const shortest = beginnings.find((beginning) => texts.has(beginning));
    return shortest === undefined ? null : JSON.stringify([Math.sign(row.amountMinor), row.currency, shortest]);
  };
}

function textOf({ description }: ComparedTransaction): string {
  return wordsOf(description).join(' ');
}

/** Whether a row without a merchant has a text that says more than how it was paid. */
function namesMerchantInText({ merchant, description }: ComparedTransaction): boolean {
  const words = wordsOf(description);
  return merchant === null && words.length <= MAX_WORDS && words.some((word) => !WAY_OF_PAYING.test(word));
}

function isNamed({ merchant, description }: ComparedTransaction): boolean {
  return (merchant ?? description).trim() !== '';
}
