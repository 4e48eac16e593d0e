import type { ErrorCode } from './api-error.js';

/** What a database failure means for a request. */
export interface DatabaseFailure {
  code: Extract<ErrorCode, 'unavailable' | 'validation_failed'>;
  message: string;
  /** Absent: a retry would fail again. */
  retryAfterSeconds?: number;
}

const AWAY: DatabaseFailure = {
  code: 'unavailable',
  message: 'The database cannot be reached. Try again in a moment.',
  retryAfterSeconds: 5,
};
const BUSY: DatabaseFailure = {
  code: 'unavailable',
  message: 'The database is busy. Try again in a moment.',
  retryAfterSeconds: 5,
};
/** No session can be had. */
const CROWDED: DatabaseFailure = { ...BUSY };
const FULL: DatabaseFailure = {
  code: 'unavailable',
  message: 'The database has run out of disk space or memory.',
  retryAfterSeconds: 60,
};
const READ_ONLY: DatabaseFailure = {
  code: 'unavailable',
  message: 'The database accepts no changes at the moment. Try again later.',
  retryAfterSeconds: 30,
};
const COLLISION: DatabaseFailure = {
  code: 'unavailable',
  message: 'A concurrent change conflicts with this one. Try again.',
  retryAfterSeconds: 1,
};
const UNSTORABLE_TEXT: DatabaseFailure = {
  code: 'validation_failed',
  message: 'text must not contain characters that the database cannot store, such as U+0000',
};

/**
 * By SQLSTATE or its prefix, see appendix A of PostgreSQL's manual. Not among them: 57014, a statement that takes too
 * long, since a retry would take as long.
 */
const BY_SQLSTATE: Readonly<Record<string, DatabaseFailure>> = {
  '08': AWAY,
  '22021': UNSTORABLE_TEXT,
  '22P05': UNSTORABLE_TEXT,
  '25006': READ_ONLY,
  '25P03': BUSY,
  '25P04': BUSY,
  '40001': COLLISION,
  '40P01': COLLISION,
  '53': CROWDED,
  '53100': FULL,
  '53200': FULL,
  '55P03': BUSY,
  '57P': AWAY,
};

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Errors of pg itself have no code. */
const BY_MESSAGE: readonly [RegExp, DatabaseFailure][] = [
  [/^timeout exceeded when trying to connect/, CROWDED],
  [/^(Query read timeout|timeout expired)/, AWAY],
  [/^Connection terminated/, AWAY],
  // Of a coordinator of Citus that has lost a worker in the middle.
  [
    /^(failure on connection marked as essential|server closed the connection unexpectedly|no connection to the server)/,
    AWAY,
  ],
  [/^Client (was closed|has encountered a connection error) and is not queryable/, AWAY],
];

const MAX_CAUSES = 5;

/** Finds a database failure in a thrown value or its causes; `null`: there is none. */
export function databaseFailure(thrown: unknown): DatabaseFailure | null {
  for (let error = thrown, depth = 0; error instanceof Error && depth < MAX_CAUSES; error = error.cause, depth++) {
    const failure = failureOf(error);
    if (failure) return failure;
  }
  return null;
}

/** Whether the database fails whatever is asked of it: it is away, starts, stops, or has no room. */
export function isDatabaseAway(thrown: unknown): boolean {
  const failure = databaseFailure(thrown);
  return failure !== null && [AWAY, CROWDED, FULL, READ_ONLY].includes(failure);
}

function failureOf(error: Error & { code?: unknown; syscall?: unknown }): DatabaseFailure | null {
  const code = typeof error.code === 'string' ? error.code : '';
  if (SOCKET_CODES.has(code)) return AWAY;
  // The socket of a local server. Any other missing file is no database failure.
  if (code === 'ENOENT' && error.syscall === 'connect') return AWAY;
  const bySqlState = BY_SQLSTATE[code] ?? BY_SQLSTATE[code.slice(0, 3)] ?? BY_SQLSTATE[code.slice(0, 2)];
  return bySqlState ?? BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1] ?? null;
}
