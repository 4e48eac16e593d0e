import { createCipheriv, createDecipheriv, randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { z } from 'zod';

export const SEALED_SECRET = z.object({
  /** Base64url, as are the next two. */
  salt: z.string(),
  nonce: z.string(),
  text: z.string(),
  /** Parameters of scrypt. */
  cost: z.number(),
  blockSize: z.number(),
  parallelization: z.number(),
});

export type SealedSecret = z.output<typeof SEALED_SECRET>;

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** OWASP's advice for scrypt: 128 MiB and more than half a second for each guess. */
const COST = { cost: 2 ** 17, blockSize: 8, parallelization: 1 };
/** The most that a file may demand, so that a forged one can exhaust neither the memory nor the time of whoever opens it. */
const MAX_SCRYPT_BYTES = 512 * 1024 * 1024;
const MAX_PARALLELIZATION = 16;

export const MIN_PASSPHRASE_CHARS = 12;

/** Encrypts the list of root secrets, newest first, under a passphrase. */
export async function sealSecrets(secrets: readonly string[], passphrase: string): Promise<SealedSecret> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, await deriveKey(passphrase, salt, COST), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { ...COST, salt: encode(salt), nonce: encode(nonce), text: encode(text) };
}

/** @returns `null` when the passphrase is wrong, or what is sealed was not sealed here */
export async function openSecrets(sealed: SealedSecret, passphrase: string): Promise<string[] | null> {
  const { salt, nonce, text, ...cost } = sealed;
  if (cost.parallelization > MAX_PARALLELIZATION) return null;
  try {
    const key = await deriveKey(passphrase, decode(salt), cost);
    const bytes = decode(text);
    const tag = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv(ALGORITHM, key, decode(nonce), tag).setAuthTag(bytes.subarray(-TAG_BYTES));
    const opened = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return JSON.parse(opened.toString('utf8')) as string[];
  } catch {
    return null;
  }
}

function deriveKey(passphrase: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: MAX_SCRYPT_BYTES };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

const encode = (bytes: Buffer): string => bytes.toString('base64url');
const decode = (text: string): Buffer => Buffer.from(text, 'base64url');
