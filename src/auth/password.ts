import { hash, verify } from '@node-rs/argon2';

// Argon2id at the library's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane.

export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

export function verifyPassword(storedHash: string, password: string): Promise<boolean> {
  return verify(storedHash, password);
}
