import { StartupError } from '../platform/config/startup-error.js';

const CAUSES_FOLLOWED = 6;

const UNREACHABLE = 'check that the server runs, and that host and port are right';
const REFUSED = 'check user, password and database name';
const UNTRUSTED =
  'its certificate is not trusted; name the file of its authority by sslrootcert= in the URL, or in NODE_EXTRA_CA_CERTS';

const OUTDATED = 'its certificate is not valid at the time of this machine; renew it, or set the clock';

/** Advice by the error code of Node.js or PostgreSQL. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  EPIPE: UNREACHABLE,
  ENOENT: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  EACCES: 'the socket may not be used by this user',
  '28P01': REFUSED,
  '28000': REFUSED,
  '3D000': REFUSED,
  '25006': 'name the primary server, not a replica',
  '42501': 'make the user the owner of the database and of its tables',
  '53100': 'the disk of the server is full; make room on it',
  '53200': 'the server is out of memory',
  '53300': 'the server has no connection left; lower DATABASE_POOL_MAX, or raise max_connections of the server',
  '55P03': 'another session holds a lock for too long; look for it in pg_stat_activity, then start again',
  '57014': 'a statement took too long; raise DATABASE_MIGRATION_STATEMENT_TIMEOUT_MS',
  '57P03': 'the server is starting or stopping; try again in a moment',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: OUTDATED,
  CERT_NOT_YET_VALID: OUTDATED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** Codes of the system, of certificates and of TLS; other codes of Node.js begin with ERR_, and are bugs of ours. */
const OF_CONNECTION =
  /^(E(?!RR_)[A-Z\d]+|[A-Z_]*CERT[A-Z_]*|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|ERR_(SSL|OSSL|TLS)_\w+)$/;

/** Errors of the client that have no code. */
const ADVICE_BY_TEXT: readonly [RegExp, string][] = [
  [/does not support SSL/, 'the server speaks no TLS; take sslmode out of DATABASE_URL'],
  [/timeout|Connection terminated/i, UNREACHABLE],
  [/client password must be a string|SASL/, REFUSED],
];

/** Of an error of PostgreSQL. */
export function sqlStateOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

/**
 * Maps errors that a person can correct to a StartupError. Anything else is a bug and keeps its stack.
 *
 * @param database the subject of the sentence
 */
export function asStartupError(error: unknown, database: string): unknown {
  for (let cause = error, depth = 0; cause instanceof Error && depth < CAUSES_FOLLOWED; cause = cause.cause, depth++) {
    if (cause instanceof StartupError) return cause;
    const { code, message } = cause as Error & { code?: string };
    const advice = ADVICE[code ?? ''] ?? ADVICE_BY_TEXT.find(([text]) => text.test(message))?.[1];
    if (advice) {
      return new StartupError(`${database} cannot be used (${code ?? message}): ${advice}.`);
    }
    // PostgreSQL gives its errors a severity.
    if ('severity' in cause) {
      return new StartupError(`${database} cannot be used: it says "${message}" (${code}).`);
    }
    // The system and TLS have more errors than are known here.
    if (code && OF_CONNECTION.test(code)) {
      return new StartupError(`${database} cannot be used: ${message} (${code}).`);
    }
  }
  return error;
}
