import { z } from 'zod';

// Schemas of values that providers do not always send in the documented type.

/**
 * A decimal number or its text, as text. Exact for every number that JSON represents exactly. It is no union, because a
 * failed first branch would cost as much as the rest of a row.
 */
export const decimal = z.unknown().transform((value, context) => {
  const text = decimalTextOf(value);
  if (text !== null) return text;
  context.issues.push({ code: 'custom', message: 'Invalid input: expected a number or its text', input: value });
  return z.NEVER;
});

/** Text, or a number in its place. */
export const text = z.union([z.string(), z.number().transform(String)]).nullish();

export const wireFlag = z.union([
  z.boolean(),
  z.number().transform((value) => value !== 0),
  z.string().transform((value) => /^(1|true)$/i.test(value)),
]);

/** Up to 200 visible characters. */
export const id = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^ {0,9}[^\s\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}]{0,199}$/u));

/** The text of a {@link decimal}; `null`: neither text nor a number. */
export function decimalTextOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return null;
  const usual = String(value);
  return usual.includes('e-') ? value.toFixed(20).replace(/0+$/, '') : usual;
}

// Checks for rows in the documented form. There are up to 100,000 rows, and a schema takes about five times as long.

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
