import { hash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** 256 random bits for a cookie or a link. */
export function randomText(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** The stored hash. A plain one is enough: 256 random bits cannot be guessed. */
export function hashOfText(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
