import { hash, randomInt } from 'node:crypto';
import { Secret as TotpSecret, TOTP } from 'otpauth';
import { Secret } from '../../platform/config/secret.js';

// Codes of the app: RFC 6238 with what every authenticator app supports: SHA-1, six digits, thirty seconds.
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Codes of the step before and after are accepted: clocks differ, and people type slowly. */
const WINDOW_STEPS = 1;

const CODE = /^\d{6}$/;

/** In base32, as a person types it into an app. */
export function newTotpSecret(): Secret {
  return new Secret(new TotpSecret({ size: SECRET_BYTES }).base32);
}

/** The content of the QR code. */
export function totpUri(secret: Secret, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step of a right code; `null`: the code is wrong. */
export function stepOfCode(secret: Secret, code: string, now: Date): number | null {
  const token = code.replace(/\s/g, '');
  if (!CODE.test(token)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token, timestamp, window: WINDOW_STEPS });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: Secret, label = ''): TOTP {
  return new TOTP({
    issuer: 'Tidemark',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: TotpSecret.fromBase32(secret.reveal()),
  });
}

// Recovery codes, for when the app is lost.

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
  return SHAPE.test(code) ? hash('sha256', `recovery code ${code}`, 'buffer') : null;
}
