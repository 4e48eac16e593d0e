import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;

/**
 * The CSRF token in every form of a session. Each page masks it differently, so that the size of a compressed page
 * reveals nothing about it (BREACH).
 */
export function formToken(sessionToken: string, mask = randomBytes(BYTES)): string {
  return Buffer.concat([mask, xor(mask, secretOf(sessionToken))]).toString('base64url');
}

/** Whether a form's token was made for this session. */
export function isFormToken(text: string, sessionToken: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 2 * BYTES) return false;
  return timingSafeEqual(xor(bytes.subarray(0, BYTES), bytes.subarray(BYTES)), secretOf(sessionToken));
}

function secretOf(sessionToken: string): Buffer {
  return hash('sha256', `form token of ${sessionToken}`, 'buffer');
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));
}
