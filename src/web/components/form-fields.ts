import type { NumberFormat } from '../../auth/preferences.js';
import { MAX_NAME_CHARS } from '../../http/input/given.js';
import { visibleText } from '../../http/input/validators.js';
import { minorDigits } from '../../platform/money/currency.js';
import { parseMinor } from '../../platform/money/minor-units.js';
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

/**
 * The amount that a person has typed as they write numbers, in minor units; `null`: it is none that the currency can have. No
 * text is taken for another amount than it says elsewhere: a separator of thousands has three figures behind it.
 */
export function amountOf(fields: Fields, name: string, currency: string, format: NumberFormat): number | null {
  const digits = minorDigits(currency) ?? 0;
  const point = pointOf(format);
  const text = textOf(fields, name)
    .replace(/[\s'’]/g, '')
    .replace('−', '-');
  const [whole = '', fraction = '', ...more] = text.split(point);
  const isGrouped = (point === ',' ? /^-?\d{1,3}(\.\d{3})+$/ : /^-?\d{1,3}(,\d{2,3})*,\d{3}$/).test(whole);
  if (more.length > 0 || fraction.length > digits || !/^\d*$/.test(fraction)) return null;
  if (!isGrouped && !/^-?\d+$/.test(whole)) return null;
  return parseMinor(`${whole.replace(/[.,]/g, '')}.${fraction}`, digits);
}

/** What a field with an amount asks for. */
export function amountError(currency: string, format: NumberFormat): string {
  const digits = minorDigits(currency) ?? 0;
  return `Enter an amount such as ${new Intl.NumberFormat(format, { minimumFractionDigits: digits }).format(1234)}.`;
}

function pointOf(format: NumberFormat): string {
  return new Intl.NumberFormat(format).formatToParts(0.5).find(({ type }) => type === 'decimal')!.value;
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
