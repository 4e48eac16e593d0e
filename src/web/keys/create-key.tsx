import { isAccountScope, isScope, type Scope, SCOPES } from '../../auth/scopes.js';
import { Choice, Choices, ConfirmPassword, Field, FoldedForm, SelectField } from '../components/form.js';
import { MAX_KEY_ACCOUNTS } from '../../auth/api-keys.service.js';
import { DAY_MS } from '../../platform/time/calendar-date.js';
import { type Fields, textOf, textsOf } from '../components/form-fields.js';
import type { FieldErrors } from '../components/page-context.js';

export interface NamedAccount {
  id: string;
  name: string;
}

export function CreateKey({ accounts, open }: { accounts: readonly NamedAccount[]; open: boolean }) {
  return (
    <FoldedForm class="card" title="New key" action="/keys" submit="Create key" open={open}>
      <Field
        name="name"
        label="Name"
        required
        maxLength={MAX_KEY_NAME_CHARS}
        hint="What the key is for, such as “spreadsheet”."
      />
      <Choices legend="Permissions" name="preset" class="presets">
        <Presets name="preset" offered={PRESETS} />
        <div class="scopes">
          {SCOPES.map((scope) => (
            <Choice key={scope} name="scopes" value={scope} checked={false}>
              <code>{scope}</code>
            </Choice>
          ))}
        </div>
      </Choices>
      {accounts.length > 0 && (
        <Choices legend="Accounts" name="accounts" class="presets">
          <Presets name="accounts" offered={ACCOUNT_CHOICES} />
          <div class="scopes">
            {accounts.map(({ id, name }) => (
              <Choice key={id} name="account_ids" value={id} checked={false}>
                {name}
              </Choice>
            ))}
          </div>
        </Choices>
      )}
      <SelectField name="expiry" label="Expires" selected="" options={EXPIRIES} />
      <ConfirmPassword id="key_password" />
    </FoldedForm>
  );
}

interface PresetsProps {
  name: string;
  /** The first is chosen. With `chosen`, the boxes below are ticked one by one. */
  offered: typeof PRESETS | typeof ACCOUNT_CHOICES;
}

function Presets({ name, offered }: PresetsProps) {
  return offered.map(({ value, text, hint }, i) => (
    <Choice key={value} type="radio" name={name} value={value} checked={i === 0}>
      {text} <span class="quiet small">{hint}</span>
    </Choice>
  ));
}

const MAX_KEY_NAME_CHARS = 100;

const PRESETS = [
  { value: 'read', text: 'Read only', hint: 'Can see everything and change nothing.' },
  { value: 'full', text: 'Full access', hint: 'Can also connect banks, sync and edit.' },
  { value: 'chosen', text: 'Custom', hint: 'Only the scopes you select below.' },
] as const;

const ACCOUNT_CHOICES = [
  { value: 'all', text: 'All accounts', hint: 'Also those that you connect later.' },
  { value: 'chosen', text: 'Only some', hint: 'The key sees nothing else: no connections or activity.' },
] as const;

const EXPIRIES = [
  { value: '', text: 'Never' },
  { value: '30', text: 'In 30 days' },
  { value: '90', text: 'In 90 days' },
  { value: '365', text: 'In a year' },
];

/** What was chosen for a new key. */
interface KeyForm {
  name: string;
  preset: (typeof PRESETS)[number]['value'];
  scopes: Scope[];
  accounts: (typeof ACCOUNT_CHOICES)[number]['value'];
  accountIds: string[];
  /** Days; `''`: never expires. */
  expiry: string;
}

/** @param known the ids of the person's accounts */
export function readKeyForm(body: Fields, known: readonly string[]): { form: KeyForm; errors: FieldErrors } {
  const isGiven = (field: string) => body?.[field] !== undefined;
  const choice = ACCOUNT_CHOICES.find(({ value }) => value === textOf(body, 'accounts'));
  const expiry = EXPIRIES.find(({ value }) => value === textOf(body, 'expiry'));
  // Ticked accounts without “Only some” are a mistake: they must not make a key for all accounts.
  const isAmbiguous = choice?.value !== 'chosen' && isGiven('account_ids');
  const form: KeyForm = {
    name: textOf(body, 'name'),
    preset: PRESETS.find(({ value }) => value === textOf(body, 'preset'))?.value ?? 'read',
    scopes: textsOf(body, 'scopes').filter(isScope),
    accounts: choice?.value ?? (isAmbiguous ? 'chosen' : 'all'),
    accountIds: textsOf(body, 'account_ids').filter((id) => known.includes(id)),
    expiry: expiry?.value ?? '',
  };
  const errors: FieldErrors = {};
  if (form.name === '') errors.name = 'Enter a name that tells you what the key is for.';
  if (form.name.length > MAX_KEY_NAME_CHARS) errors.name = `Use at most ${MAX_KEY_NAME_CHARS} characters.`;
  if (scopesOf(form).length === 0) errors.preset = 'Choose at least one.';
  const lacking = scopesOf(form).filter((scope) => isLimited(form) && !isAccountScope(scope));
  if (lacking.length > 0) errors.preset = `A key for only some accounts cannot have ${lacking.join(', ')}.`;
  if (isLimited(form) && form.accountIds.length === 0) errors.accounts = 'Choose at least one.';
  if (isGiven('accounts') && !choice) errors.accounts = 'Choose all accounts, or only some of them.';
  if (isAmbiguous) errors.accounts = 'Untick the accounts for a key to all of them, or choose “Only some”.';
  if (isGiven('expiry') && !expiry) errors.expiry = 'Choose when the key expires.';
  if (form.accountIds.length > MAX_KEY_ACCOUNTS) errors.accounts = `Choose at most ${MAX_KEY_ACCOUNTS}.`;
  return { form, errors };
}

/** A preset means everything that such a key may have. */
export function scopesOf(form: KeyForm): Scope[] {
  if (form.preset === 'chosen') return form.scopes;
  const possible = isLimited(form) ? SCOPES.filter(isAccountScope) : [...SCOPES];
  return form.preset === 'full' ? possible : possible.filter((scope) => scope.endsWith(':read'));
}

/** `undefined`: all. */
export function accountIdsOf(form: KeyForm): string[] | undefined {
  return isLimited(form) ? form.accountIds : undefined;
}

function isLimited({ accounts }: KeyForm): boolean {
  return accounts === 'chosen';
}

export function expiresAt({ expiry }: KeyForm, now: Date): Date | null {
  return expiry === '' ? null : new Date(now.getTime() + Number(expiry) * DAY_MS);
}
