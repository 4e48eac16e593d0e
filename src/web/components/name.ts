import { MAX_NAME_CHARS } from '../../http/input/new-name.js';
import type { FieldErrors } from './field.js';

/** The error of a name field. */
export function nameErrors(name: string): FieldErrors {
  if (name !== '' && name.length <= MAX_NAME_CHARS) return {};
  return { name: `Enter a name of at most ${MAX_NAME_CHARS} characters.` };
}
