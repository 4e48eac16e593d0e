import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** 256 random bits for a cookie or a link. */
export function randomText(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** What is stored instead. A plain hash is enough: nobody guesses 256 random bits. */
export function hashOfText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
