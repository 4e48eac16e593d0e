import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../platform/domain-error.js';
import { currentUserId } from '../http/caller.js';
import { clientNetworkOf } from '../http/client-network.js';
import { ConcurrencyLimiter } from '../http/concurrency-limiter.js';
import { currentRequest } from '../platform/request-context.js';
import { Semaphore } from '../platform/time/semaphore.js';

// Argon2id at the library's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane.

/** A hash keeps a core busy for hundredths of a second: more at once would delay all other requests. */
const hashing = new Semaphore(2, { waiting: 8, waitMs: 2_000, refusal: tooManySignIns });
const RETRY_AFTER_SECONDS = 2;
/** Of one person or address, whatever e-mail addresses it sends: nobody alone can take all places, those of who waits included. */
const shares = new ConcurrencyLimiter('passwords under way', { perCaller: { client: 2 }, perInstance: Infinity });

/**
 * @throws DomainError `rate_limit_exceeded` when the client of the request has its share of the passwords that are being
 * hashed, `unavailable` when there are too many
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password));
}

/**
 * @param deviceOwner who has signed in on the device before. A known device, or a session, waits in a line before all
 * strangers and has a share of its own, so that strangers cannot keep it out.
 * @throws DomainError like {@link hashPassword}
 */
export function verifyPassword(
  storedHash: string,
  password: string,
  deviceOwner: string | null = null,
): Promise<boolean> {
  return inTurn(() => verify(storedHash, password), deviceOwner);
}

async function inTurn<T>(task: () => Promise<T>, deviceOwner: string | null = null): Promise<T> {
  const request = currentRequest();
  const known = currentUserId() ?? deviceOwner;
  const release = request ? shares.acquire({ client: known ?? clientNetworkOf(request) }) : null;
  try {
    return await hashing.run(task, known !== null);
  } finally {
    release?.();
  }
}

function tooManySignIns(): DomainError {
  return new DomainError('unavailable', 'Too many people are signing in right now. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

export const MIN_PASSWORD_CHARS = 8;
/** Long enough for any passphrase, short enough that hashing stays cheap. */
export const MAX_PASSWORD_CHARS = 256;

/** Passwords with fewer different characters, such as `aaaaaaaa` or `abababab`, are guessed first. */
const MIN_DIFFERENT_CHARS = 3;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** Why a new password is not acceptable, as a sentence; `null`: it is. */
export async function passwordProblem(password: string, email: string): Promise<string | null> {
  if (password.length < MIN_PASSWORD_CHARS) return `Use at least ${MIN_PASSWORD_CHARS} characters.`;
  if (password.length > MAX_PASSWORD_CHARS) return `Use at most ${MAX_PASSWORD_CHARS} characters.`;
  const text = password.trim().toLowerCase();
  const address = email.trim().toLowerCase();
  if (text === address || text === address.split('@')[0]) return 'Do not use your e-mail address as your password.';
  if (new Set(text).size < MIN_DIFFERENT_CHARS) return 'Use more than two different characters.';
  commonPasswords ??= loadCommonPasswords();
  if ((await commonPasswords).has(text)) return 'This password is among the most common ones. Choose another.';
  return null;
}

/** Some 18,000 common passwords, 3.5 MB: loaded when first needed, not at the start. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= MIN_PASSWORD_CHARS));
}
