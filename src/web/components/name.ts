import type { FieldErrors } from './field.js';

/** Of an account or a connection, as in the API. */
export const MAX_NAME_CHARS = 200;

/** The error of a name field. */
export function nameErrors(name: string): FieldErrors {
  if (name !== '' && name.length <= MAX_NAME_CHARS) return {};
  return { name: `Enter a name of at most ${MAX_NAME_CHARS} characters.` };
}
