import { z } from 'zod';

// What providers write loosely, read once: the types they document are not always those they send.

/**
 * Decimal text, whichever way it was written; exact for every number that JSON gives exactly. Not a union: to try the
 * other form in vain would cost as much as the rest of a row.
 */
export const decimal = z.unknown().transform((value, context) => {
  const text = decimalOf(value);
  if (text !== null) return text;
  context.issues.push({ code: 'custom', message: 'Invalid input: expected a number or its text', input: value });
  return z.NEVER;
});

/** Text, or a number in its place. */
export const text = z.union([z.string(), z.number().transform(String)]).nullish();

export const flag = z.union([
  z.boolean(),
  z.number().transform((value) => value !== 0),
  z.string().transform((value) => /^(1|true)$/i.test(value)),
]);

/** Short and of visible characters, so that it can be stored and is what a person sees. */
export const id = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^ {0,9}[^\s\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}]{0,199}$/u));

/** What {@link decimal} makes of a value; `null`: neither text nor a number. */
export function decimalOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return null;
  const usual = String(value);
  return usual.includes('e-') ? value.toFixed(20).replace(/0+$/, '') : usual;
}

// Members of a row that is as documented: rows come by the hundred thousand, and a schema costs some five times as much.

export function isUsualId(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{1,200}$/.test(value);
}

export function isTextOrAbsent(value: unknown): value is string | null | undefined {
  return typeof value === 'string' || isAbsent(value);
}

export function isFlagOrAbsent(value: unknown): value is boolean | null | undefined {
  return typeof value === 'boolean' || isAbsent(value);
}

export function isNumberOrAbsent(value: unknown): value is number | null | undefined {
  return Number.isFinite(value) || isAbsent(value);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
