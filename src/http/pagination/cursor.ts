import { hash } from 'node:crypto';
import { validationFailed } from '../../platform/domain-error.js';
import { type PageQuery, type Pagination, pagination } from './page.js';

/** The cursor of the first page. */
export const FIRST_CURSOR = 'first';

export const CURSOR_PROBLEM = `must be ${FIRST_CURSOR} or a next_cursor`;
/** Ours have about two hundred. */
export const MAX_CURSOR_CHARS = 1_000;
/** Raise it with each change of what a cursor or its digest is made of, so that one of before is told from a foreign one. */
const VERSION = 2;

interface CursorQuery extends PageQuery {
  cursor?: string;
}

/** The position of a client that reads a list by cursor. */
interface ListPosition<Place extends readonly string[]> {
  /** Digest of the person and the list's name, filters and order: a cursor is valid for one list of one person only. */
  list: string;
  /** The sort key of the last record read; `null`: none yet. */
  after: Place | null;
  /** How many records were read. */
  seen: number;
  /** The total when reading began; `null`: it begins now. */
  totalCount: number | null;
}

/**
 * Parses the cursor of a query.
 *
 * @param isPlace whether texts are a sort key of the list: a cursor comes from outside
 * @returns `null`: the list is read page by page
 * @throws DomainError `validation_failed`
 */
export function parseCursor<Place extends readonly string[]>(
  userId: string,
  name: string,
  query: CursorQuery,
  isPlace: (texts: readonly string[]) => texts is Place,
): ListPosition<Place> | null {
  if (query.cursor === undefined) return null;
  const list = digestOf(userId, name, query);
  if (query.cursor === FIRST_CURSOR) return { list, after: null, seen: 0, totalCount: null };
  const [version, of, seen, totalCount, ...after] = tokenOf(query.cursor);
  if (version !== VERSION || !isCount(seen) || !isCount(totalCount) || !after.every(isText) || !isPlace(after)) {
    throw validationFailed([`cursor ${CURSOR_PROBLEM}`]);
  }
  if (of !== list) {
    throw validationFailed(['cursor belongs to another person, or to a list with other filters or in another order']);
  }
  return { list, after, seen, totalCount };
}

/** @throws DomainError `validation_failed`: a whole list needs no cursor */
export function refuseCursor({ cursor }: CursorQuery): void {
  if (cursor !== undefined) throw validationFailed(['cursor is for application/json only']);
}

/**
 * The paging members of an answer.
 *
 * @param after the sort key of the last record; `null`: there are no more
 */
export function cursorPage(
  { list, seen, totalCount: knownCount }: ListPosition<readonly string[]>,
  query: PageQuery,
  read: { count: number; totalCount: number; after: readonly string[] | null },
): { pagination: Pagination; next_cursor: string | null } {
  const totalCount = knownCount ?? read.totalCount;
  const page = Math.floor(seen / query.per_page) + 1;
  const token = read.after && [VERSION, list, seen + read.count, totalCount, ...read.after];
  return {
    pagination: pagination({ page, per_page: query.per_page }, totalCount),
    next_cursor: token && tokenText(token),
  };
}

function tokenOf(cursor: string): unknown[] {
  return cursor.length > MAX_CURSOR_CHARS ? [] : (tokenParts(cursor) ?? []);
}

/** Digest of the person, the list and all parameters but paging. */
function digestOf(userId: string, name: string, query: CursorQuery): string {
  const parameters = Object.entries(query)
    .filter(([key, value]) => !['page', 'per_page', 'cursor'].includes(key) && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([userId, name, parameters]), 'base64url').slice(0, 16);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** An opaque text that a client stores and sends back. */
export function tokenText(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of such a text. It comes from outside: check each part. `null`: it is none of ours. */
export function tokenParts(text: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    // Decoding skips what is not of the alphabet.
    return Array.isArray(parts) && tokenText(parts) === text ? parts : null;
  } catch {
    return null;
  }
}

/** Whether a part is a count of records or a revision. */
export function isCount(part: unknown): part is number {
  return Number.isSafeInteger(part) && (part as number) >= 0;
}
