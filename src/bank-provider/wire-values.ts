import { z } from 'zod';

// What providers write loosely, read once: the types they document are not always those they send.

/** Decimal text, whichever way it was written; exact for every number that JSON gives exactly. */
export const decimal = readAs('a number or its text', (value) => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? plainText(value) : z.NEVER;
});

/** Text, or a number in its place. */
export const text = readAs('a text', (value) => {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : z.NEVER;
}).optional();

export const flag = readAs('a yes or no', (value) => {
  if (typeof value === 'string') return /^(1|true)$/i.test(value);
  return typeof value === 'boolean' || typeof value === 'number' ? Boolean(value) : z.NEVER;
});

const ID = /^ {0,9}[^\s\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}]{0,199}$/u;

/** Short and of visible characters, so that it can be stored and is what a person sees. */
export const id = readAs('an id of at most 200 visible characters', (value) => {
  const written = typeof value === 'number' ? String(value) : value;
  return typeof written === 'string' && ID.test(written) ? written : z.NEVER;
});

/**
 * One look at a value, in place of a union of its forms with all their checks, which would cost as much as the rest of a
 * row, and more where the first form is not the right one.
 *
 * @param read gives `z.NEVER` where the value is none
 */
function readAs<T>(expected: string, read: (value: unknown) => T) {
  return z.unknown().transform((value, context) => {
    const found = read(value);
    if (found === z.NEVER)
      context.issues.push({ code: 'custom', message: `Invalid input: expected ${expected}`, input: value });
    return found;
  });
}

function plainText(value: number): string {
  const usual = String(value);
  return usual.includes('e-') ? value.toFixed(20).replace(/0+$/, '') : usual;
}
