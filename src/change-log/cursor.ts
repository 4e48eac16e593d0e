import { createHash } from 'node:crypto';
import { isCalendarDate } from '../time/calendar-date.js';
import { CHANGE_KINDS, type ChangeKind } from './change.js';

/** How far a copy has come that is being filled or brought up to date in several pages. */
export interface CursorPage {
  /** The revision at which the copy will be when it has all pages. */
  upto: number;
  /** What the next page begins with: its part, and the key of the last record before it. */
  kind: ChangeKind;
  accountId: string | null;
  after: string | null;
}

/** Where somebody who follows the change log is. */
export interface Cursor {
  /** Every change up to this revision is known; `null`: nothing yet. */
  done: number | null;
  page: CursorPage | null;
}

const VERSION = 1;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What binds a cursor to one person and one life of the database. A database that was restored has counted the same
 * numbers for other changes.
 */
export function cursorSeal(epoch: string, userId: string): string {
  return createHash('sha256').update(`${epoch} ${userId}`).digest('base64url').slice(0, 12);
}

/** A text that a client keeps and cannot read anything from. */
export function cursorText(seal: string, { done, page }: Cursor): string {
  const parts = page ? [page.upto, page.kind, page.accountId, page.after] : [];
  return Buffer.from(JSON.stringify([VERSION, seal, done, ...parts])).toString('base64url');
}

/** @returns `null` for a text that is no cursor; `isForeign`: it is one of another person or another database */
export function parseCursor(text: string, seal: string): (Cursor & { isForeign: boolean }) | null {
  const parts = partsOf(text);
  if (!parts) return null;
  const [version, itsSeal, done, upto, kind, accountId, after] = parts;
  if (version !== VERSION || typeof itsSeal !== 'string' || !(done === null || isRevision(done))) return null;
  const page = isRevision(upto)
    ? { upto, kind: kind as ChangeKind, accountId: textOf(accountId), after: textOf(after) }
    : null;
  if (page && !isReadable(page)) return null;
  return { isForeign: itsSeal !== seal, done, page };
}

function partsOf(text: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}

/** A client can write anything; what is compared with ids and days must be ones. */
function isReadable({ kind, accountId, after }: CursorPage): boolean {
  if (!CHANGE_KINDS.includes(kind) || !(accountId === null || UUID.test(accountId))) return false;
  if (after === null) return true;
  if (accountId === null) return UUID.test(after);
  const [day = '', id, ...more] = after.split(' ');
  return isCalendarDate(day) && (kind === 'balances' ? id === undefined : UUID.test(id ?? '')) && more.length === 0;
}

function isRevision(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
