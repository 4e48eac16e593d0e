import { hash, verify } from '@node-rs/argon2';
import { BoundedSemaphore } from './bounded-semaphore.js';

// Argon2id at the library's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane.

/** A hash keeps a core busy for hundredths of a second: more at once would delay all other requests. */
const hashing = new BoundedSemaphore({ atOnce: 2, waiting: 8, waitMs: 2_000 });

/** @throws DomainError `unavailable` when too many passwords are being hashed */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(password));
}

/** @throws DomainError `unavailable`, like {@link hashPassword} */
export function verifyPassword(storedHash: string, password: string): Promise<boolean> {
  return hashing.run(() => verify(storedHash, password));
}
