import { z } from 'zod';

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

/** Random text of the minimum length has more different characters. */
const MIN_DISTINCT_CHARS = 8;
/** How many characters must be left without the words of examples. */
const MIN_OWN_CHARS = 8;

/** Words of placeholder secrets. */
const EXAMPLE_WORDS =
  /changeme|change|replace|password|passwort|passphrase|secret|example|sample|default|generate|openssl|rand|base64|tidemark|test|demo|admin|root|your|this|please|with|here|some|random|string|long|key|app|to|in|production|dev|qwerty|asdf|letmein|me|my|is|a|it/g;

/** Why a secret is weak, as words after its name; `null`: it is not. */
export function weaknessOf(secret: string): string | null {
  if (new Set(secret).size < MIN_DISTINCT_CHARS) return 'has too few different characters';
  if (isRepeated(secret)) return 'repeats itself';
  if (isRun(secret)) return 'is a run of neighboring characters';
  const own = secret
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(EXAMPLE_WORDS, '');
  return own.length < MIN_OWN_CHARS || isRun(own) ? 'is the text of an example' : null;
}

/** Whether one text is repeated. */
function isRepeated(text: string): boolean {
  return (text + text).indexOf(text, 1) <= text.length / 2;
}

/** Whether most characters go on in steps of one, as in 1234567890 and zyxwvuts. Neighbours alone are common by chance. */
function isRun(text: string): boolean {
  const stepTo = (index: number) => text.charCodeAt(index) - text.charCodeAt(index - 1);
  let continued = 0;
  for (let index = 2; index < text.length; index++) {
    if (stepTo(index) === stepTo(index - 1) && Math.abs(stepTo(index)) <= 1) continued++;
  }
  return continued > text.length / 2;
}
