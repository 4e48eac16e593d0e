import { visibleText } from '../../http/input/validators.js';

/** A submitted form: names and texts, all untrusted. */
export type FormBody = Record<string, unknown> | undefined;

/** The text of a field without surrounding blanks; `''` if it is absent or nothing of it can be seen. */
export function textOf(body: FormBody, name: string): string {
  const value = body?.[name];
  return typeof value === 'string' ? visibleText(value) : '';
}

/** Unchanged, for passwords. */
export function rawTextOf(body: FormBody, name: string): string {
  const value = body?.[name];
  return typeof value === 'string' ? value : '';
}

/** All texts of a name, as checkboxes send them. */
export function textsOf(body: FormBody, name: string): string[] {
  const value = body?.[name];
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
}

/** The page to show after signing in. Only a path of this service is followed. */
export function ownPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/';
}
