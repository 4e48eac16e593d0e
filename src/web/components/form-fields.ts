import { MAX_NAME_CHARS } from '../../http/input/given.js';
import { visibleText } from '../../http/input/validators.js';
import type { FieldErrors } from './page-context.js';

/** The fields of a form, sent in a body or in an address: names and texts, all untrusted. */
export type Fields = Record<string, unknown> | undefined;

/** The text of a field without surrounding blanks; `''` if it is absent or nothing of it can be seen. */
export function textOf(fields: Fields, name: string): string {
  const value = fields?.[name];
  return typeof value === 'string' ? visibleText(value) : '';
}

/** Unchanged, for passwords. */
export function rawTextOf(fields: Fields, name: string): string {
  const value = fields?.[name];
  return typeof value === 'string' ? value : '';
}

/** All texts of a name, as checkboxes send them. */
export function textsOf(fields: Fields, name: string): string[] {
  const value = fields?.[name];
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
}

/** Whether a box is ticked. */
export function isTicked(fields: Fields, name: string): boolean {
  return fields?.[name] === 'on';
}

/** What a form changes; `undefined`: it says what is stored. */
export function changed<Value>(value: Value, stored: Value): Value | undefined {
  return value === stored ? undefined : value;
}

/** The error of a name field. */
export function nameErrors(name: string): FieldErrors {
  if (name !== '' && name.length <= MAX_NAME_CHARS) return {};
  return { name: `Enter a name of at most ${MAX_NAME_CHARS} characters.` };
}

/** The page to show after signing in. Only a path of this service is followed. */
export function ownPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/';
}
