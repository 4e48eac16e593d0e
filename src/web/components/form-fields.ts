import { visibleText } from '../../http/input/validators.js';

/** The fields of a form, sent in a body or in an address: names and texts, all untrusted. */
export type Fields = Record<string, unknown> | undefined;

/** The text of a field without surrounding blanks; `''` if it is absent or nothing of it can be seen. */
export function textOf(fields: Fields, name: string): string {
  const value = fields?.[name];
  return typeof value === 'string' ? visibleText(value) : '';
}

/**
 * The text of a field that a person changed. `undefined`: it says what is stored, or what the form showed (`Was`), which
 * another tab may have changed since.
 */
export function changedTextOf(fields: Fields, name: string, stored: string): string | undefined {
  const shown = fields?.[`${name}_was`];
  const text = textOf(fields, name);
  return text === stored || (typeof shown === 'string' && text === visibleText(shown)) ? undefined : text;
}

/** Whether a box is ticked, like {@link changedTextOf}. */
export function changedChoiceOf(fields: Fields, name: string, stored: boolean): boolean | undefined {
  const choice = changedTextOf(fields, name, choiceText(stored));
  return choice === undefined ? undefined : choice === choiceText(true);
}

/** The texts of a name with several boxes, like {@link changedTextOf}. */
export function changedTextsOf(fields: Fields, name: string, stored: readonly string[]): string[] | undefined {
  const texts = textsOf(fields, name);
  const joined = { ...fields, [name]: listText(texts) };
  return changedTextOf(joined, name, listText(stored)) === undefined ? undefined : texts;
}

/** What `Was` says of several boxes, in any order. */
export function listText(texts: readonly string[]): string {
  return texts.toSorted().join(' ');
}

/** What a box sends. */
export function choiceText(isTicked: boolean): string {
  return isTicked ? 'on' : '';
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
