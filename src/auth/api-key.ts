import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 40;
const CHECKSUM_CHARS = 6;
/** How long the previous secret of a rotated key may stay valid. */
export const MAX_OVERLAP_HOURS = 168;

const PREFIX = 'tm_';
/** Of keys that are limited to accounts. An older version of Tidemark refuses them instead of ignoring the limit. */
const LIMITED_PREFIX = 'tma_';

const PATTERN = new RegExp(`^(?:${PREFIX}|${LIMITED_PREFIX})[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS},100}$`);

/** A new key: a prefix, 40 random base62 characters (238 bits) and a checksum by which secret scanners recognise it. */
export function newApiKey(accountIds: readonly string[] | null = null): string {
  const random = Array.from({ length: RANDOM_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${accountIds ? LIMITED_PREFIX : PREFIX}${random}${checksum(random)}`;
}

/** Whether a text has the form of our keys. Saves a query for other texts. */
export function isApiKeyShaped(text: string): boolean {
  if (!PATTERN.test(text)) return false;
  return checksum(text.slice(text.indexOf('_') + 1, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS);
}

/** The stored hash. A plain one is enough: 238 random bits cannot be guessed. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Identifies one secret of a key: after a rotation a key has two for a while. */
export function secretIdOf(keyHash: Uint8Array): string {
  return Buffer.from(keyHash).toString('hex');
}

export function apiKeyHint(key: string): string {
  return `${key.slice(0, 6)}…${key.slice(-4)}`;
}

/** CRC-32 in six base62 digits. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
