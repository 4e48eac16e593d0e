import { visibleText } from '../../http/input/validators.js';

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

/** The page to show after signing in. Only a path of this service is followed. */
export function ownPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/';
}
