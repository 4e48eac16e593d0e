import type { ChangeKind } from '../../database/change-log/change.js';
import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';
import type { CursorPage } from './cursor.js';

/** The order in which a copy is filled: referenced records come first. */
const FEED_ORDER: readonly ChangeKind[] = ['accounts', 'connections', 'holdings', 'balances', 'transactions', 'syncs'];

/** No day is earlier, or later. */
const FIRST_DAY = '0001-01-01';
export const LAST_DAY = '9999-12-31';

/** What a copy has to replace: all of an account, some of its days, or records by their ids. */
export type PlannedPart =
  | { kind: ChangeKind; ids: readonly string[] }
  | { kind: 'holdings'; accountId: string }
  | { kind: 'balances'; accountId: string; from: CalendarDate | null; to: CalendarDate | null }
  | { kind: 'transactions'; accountId: string; after: string | null };

export function inFeedOrder(parts: readonly PlannedPart[]): PlannedPart[] {
  return [...parts].sort(compareParts);
}

/** What of the parts belongs to some accounts. Transactions that parts name by ids do, as they were planned. */
export function partsOfAccounts(parts: readonly PlannedPart[], accountIds: readonly string[]): PlannedPart[] {
  const isAmong = (id: string) => accountIds.includes(id);
  return parts.flatMap((part): PlannedPart[] => {
    if ('accountId' in part) return isAmong(part.accountId) ? [part] : [];
    return part.kind === 'accounts' ? [{ ...part, ids: part.ids.filter(isAmong) }] : [part];
  });
}

/** The parts that are left after a page. */
export function partsFrom(parts: readonly PlannedPart[], page: CursorPage): PlannedPart[] {
  return parts.flatMap((part) => {
    const order = compareKeys(keyOf(part), [page.kind, page.accountId]);
    if (order < 0) return [];
    return order > 0 || page.after === null ? [part] : [restOf(part, page.after)];
  });
}

/** The start of the next page, if it begins with this part. */
export function pageStartOf(part: PlannedPart): Omit<CursorPage, 'upto'> {
  const [kind, accountId] = keyOf(part);
  // No day precedes the first one, and no part of the account its part.
  if ('from' in part)
    return { kind, accountId, after: part.from === FIRST_DAY ? null : part.from && addDays(part.from, -1) };
  return { kind, accountId, after: 'after' in part ? part.after : null };
}

/** The rest of the part after the record with this key: an id, a day, or a day and an id. */
function restOf(part: PlannedPart, after: string): PlannedPart {
  if ('ids' in part) return { ...part, ids: part.ids.filter((id) => id > after) };
  if (part.kind === 'transactions') return { ...part, after };
  if (part.kind === 'holdings') return part;
  const next = after === LAST_DAY ? LAST_DAY : addDays(after, 1);
  return part.from !== null && part.from >= next ? part : { ...part, from: next };
}

/** Whether a part by days has no day left. */
export function hasNoDayLeft(part: PlannedPart): boolean {
  if ('ids' in part) return part.ids.length === 0;
  return part.kind === 'balances' && part.from !== null && part.from > (part.to ?? LAST_DAY);
}

type Key = readonly [kind: ChangeKind, accountId: string | null];

function keyOf(part: PlannedPart): Key {
  return [part.kind, 'accountId' in part ? part.accountId : null];
}

function compareParts(one: PlannedPart, other: PlannedPart): number {
  return compareKeys(keyOf(one), keyOf(other)) || compareTexts(firstDay(one), firstDay(other));
}

/** Parts of accounts come before parts of ids. */
function compareKeys([kind, account]: Key, [otherKind, otherAccount]: Key): number {
  if (kind !== otherKind) return placeOf(kind) - placeOf(otherKind) || compareTexts(kind, otherKind);
  return compareTexts(account ?? '~', otherAccount ?? '~');
}

/** Records of modules come last: they may refer to any other. */
function placeOf(kind: ChangeKind): number {
  const place = FEED_ORDER.indexOf(kind);
  return place === -1 ? FEED_ORDER.length : place;
}

function firstDay(part: PlannedPart): string {
  return 'from' in part ? (part.from ?? '') : '';
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
