import { isScope, type Scope, SCOPES } from '../../auth/scopes.js';
import type { FieldErrors } from '../components/field.js';
import { type FormBody, textOf, textsOf } from '../components/form-body.js';

const DAY_MS = 86_400_000;
export const MAX_NAME_CHARS = 100;

export const PRESETS = [
  { name: 'read', text: 'Read only', hint: 'Can see everything and change nothing.' },
  { name: 'full', text: 'Full access', hint: 'Can also connect banks, sync and edit.' },
  { name: 'chosen', text: 'Custom', hint: 'Only the scopes you select below.' },
] as const;

export const EXPIRIES = [
  { value: '', text: 'Never' },
  { value: '30', text: 'In 30 days' },
  { value: '90', text: 'In 90 days' },
  { value: '365', text: 'In a year' },
];

/** The chosen values, shown again after an error. */
export interface KeyForm {
  name: string;
  preset: (typeof PRESETS)[number]['name'];
  scopes: Scope[];
  /** Days; `''`: never expires. */
  expiry: string;
}

/** From the body of the form, or from the address of its page. */
export function readKeyForm(body: FormBody): { form: KeyForm; errors: FieldErrors } {
  const form: KeyForm = {
    name: textOf(body, 'name'),
    preset: PRESETS.find(({ name }) => name === textOf(body, 'preset'))?.name ?? 'read',
    scopes: textsOf(body, 'scopes').filter(isScope),
    expiry: EXPIRIES.find(({ value }) => value === textOf(body, 'expiry'))?.value ?? '',
  };
  const errors: FieldErrors = {};
  if (form.name === '') errors.name = 'Enter a name that tells you what the key is for.';
  if (form.name.length > MAX_NAME_CHARS) errors.name = `Use at most ${MAX_NAME_CHARS} characters.`;
  if (scopesOf(form).length === 0) errors.scopes = 'Choose at least one.';
  return { form, errors };
}

export function scopesOf({ preset, scopes }: KeyForm): Scope[] {
  if (preset === 'full') return [...SCOPES];
  return preset === 'read' ? SCOPES.filter((scope) => scope.endsWith(':read')) : scopes;
}

export function expiresAt({ expiry }: KeyForm, now: Date): Date | null {
  return expiry === '' ? null : new Date(now.getTime() + Number(expiry) * DAY_MS);
}
