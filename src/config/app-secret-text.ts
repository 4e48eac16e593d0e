import { z } from 'zod';
import { weaknessOf } from './secret-strength.js';

const MIN_SECRET_CHARS = 16;
export const HOW_TO_MAKE_A_SECRET = 'make one with: openssl rand -base64 32';
const HOW_TO_REPLACE_A_SECRET = `${HOW_TO_MAKE_A_SECRET} (if it has sealed credentials, put the new one before it: new,old)`;

/** Root secrets, newest first, as in APP_SECRET and APP_SECRET_FILE. */
export const secretTexts = z
  .string()
  // Lines of a file, or a list.
  .transform((text) =>
    text
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter(Boolean),
  )
  .refine((secrets) => secrets.length > 0, 'must not be empty')
  .refine(
    (secrets) => secrets.every((secret) => secret.length >= MIN_SECRET_CHARS),
    `must have at least ${MIN_SECRET_CHARS} characters in each secret; ${HOW_TO_MAKE_A_SECRET}`,
  );

/** Why the newest secret is refused, `null`: it is strong. Older ones may be weak, because they must still unseal. */
export function weaknessOfNewest(secrets: readonly string[]): string | null {
  const weakness = weaknessOf(secrets[0]!);
  return weakness && `${weakness}; ${HOW_TO_REPLACE_A_SECRET}`;
}
