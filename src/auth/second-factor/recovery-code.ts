import { createHash, randomInt } from 'node:crypto';

/** Without letters that look like digits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_CHARS = 4;
const SHAPE = new RegExp(`^[${ALPHABET}]{${GROUPS * GROUP_CHARS}}$`);

/** 79 random bits in groups of four letters. */
export function newRecoveryCode(): string {
  const group = () => Array.from({ length: GROUP_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** The stored hash. A plain one is enough for so many random bits. `null`: the text is no recovery code. */
export function hashOfRecoveryCode(text: string): Buffer | null {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  return SHAPE.test(code) ? createHash('sha256').update(`recovery code ${code}`).digest() : null;
}
