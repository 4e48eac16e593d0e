import { hash } from 'node:crypto';
import { isUuid } from '../../http/input/validators.js';
import { isCount, tokenParts, tokenText } from '../../http/pagination/cursor.js';
import { isCalendarDate } from '../../platform/time/calendar-date.js';
import { CHANGE_KINDS, type ChangeKind } from '../../database/change-log/change.js';

/** How far a client's copy is, when an update takes several pages. */
export interface CursorPage {
  /** The revision of the copy once it has all pages. */
  upto: number;
  /** Where the next page begins: its part, and the key of the last record before it. */
  kind: ChangeKind;
  accountId: string | null;
  after: string | null;
}

/** A reader's position in the change log. */
export interface Cursor {
  /** Every change up to this revision is known; `null`: nothing yet. */
  done: number | null;
  page: CursorPage | null;
}

const VERSION = 1;

/** Binds a cursor to one person and one epoch of the database: a restored database reuses numbers for other changes. */
export function cursorSeal(epoch: string, userId: string): string {
  return hash('sha256', `${epoch} ${userId}`, 'base64url').slice(0, 12);
}

/** An opaque text for the client. */
export function feedCursorText(seal: string, { done, page }: Cursor): string {
  const parts = page ? [page.upto, page.kind, page.accountId, page.after] : [];
  return tokenText([VERSION, seal, done, ...parts]);
}

/** @returns `null` for a text that is no cursor; `isForeign`: it belongs to another person or database */
export function parseFeedCursor(text: string, seal: string): (Cursor & { isForeign: boolean }) | null {
  const parts = tokenParts(text);
  if (!parts) return null;
  const [version, itsSeal, done, upto, kind, accountId, after] = parts;
  if (version !== VERSION || typeof itsSeal !== 'string' || !(done === null || isCount(done))) return null;
  const page = isCount(upto)
    ? { upto, kind: kind as ChangeKind, accountId: textOf(accountId), after: textOf(after) }
    : null;
  if (page && !isReadable(page)) return null;
  if (feedCursorText(itsSeal, { done, page }) !== text) return null;
  return { isForeign: itsSeal !== seal, done, page };
}

/** The text comes from outside: ids and days must be valid before they reach a query. */
function isReadable({ kind, accountId, after }: CursorPage): boolean {
  if (!CHANGE_KINDS.includes(kind) || !(accountId === null || isUuid(accountId))) return false;
  if (after === null) return true;
  if (accountId === null) return isUuid(after);
  const [day = '', id, ...more] = after.split(' ');
  return isCalendarDate(day) && (kind === 'balances' ? id === undefined : isUuid(id ?? '')) && more.length === 0;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
