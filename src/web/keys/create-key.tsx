import type { ComponentChildren } from 'preact';
import { SCOPES } from '../../auth/scopes.js';
import { ConfirmPassword } from '../components/password.js';
import { Field, FieldError, type FieldErrors, SelectField } from '../components/field.js';
import { FoldedForm } from '../components/form.js';
import { ACCOUNT_CHOICES, EXPIRIES, type KeyForm, MAX_KEY_NAME_CHARS, PRESETS } from './key-form.js';

export interface NamedAccount {
  id: string;
  name: string;
}

interface CreateKeyProps {
  form: KeyForm;
  accounts: readonly NamedAccount[];
  errors: FieldErrors;
  open: boolean;
}

export function CreateKey({ form, accounts, errors, open }: CreateKeyProps) {
  return (
    <FoldedForm class="card" title="New key" action="/keys" submit="Create key" open={open}>
      <Field
        name="name"
        label="Name"
        required
        maxLength={MAX_KEY_NAME_CHARS}
        value={form.name}
        error={errors.name}
        hint="What the key is for, such as “spreadsheet”."
      />
      <Choices legend="Permissions" name="preset" choices={PRESETS} chosen={form.preset} error={errors.scopes}>
        {SCOPES.map((scope) => (
          <label key={scope} class="choice">
            <input type="checkbox" name="scopes" value={scope} checked={form.scopes.includes(scope)} />
            <code>{scope}</code>
          </label>
        ))}
      </Choices>
      {accounts.length > 0 && (
        <Choices
          legend="Accounts"
          name="accounts"
          choices={ACCOUNT_CHOICES}
          chosen={form.accounts}
          error={errors.accounts}
        >
          {accounts.map(({ id, name }) => (
            <label key={id} class="choice">
              <input type="checkbox" name="account_ids" value={id} checked={form.accountIds.includes(id)} />
              <span>{name}</span>
            </label>
          ))}
        </Choices>
      )}
      <SelectField name="expiry" label="Expires" selected={form.expiry} options={EXPIRIES} error={errors.expiry} />
      <ConfirmPassword id="key_password" error={errors.confirm_password} />
    </FoldedForm>
  );
}

interface ChoicesProps {
  legend: string;
  name: string;
  choices: typeof PRESETS | typeof ACCOUNT_CHOICES;
  chosen: string;
  error: string | undefined;
  /** What is ticked one by one; shown while `chosen` is chosen. */
  children: ComponentChildren;
}

function Choices({ legend, name, choices, chosen, error, children }: ChoicesProps) {
  return (
    <fieldset class="presets" aria-describedby={error ? `${name}-error` : undefined}>
      <legend>{legend}</legend>
      {choices.map(({ value, text, hint }) => (
        <label key={value} class="choice">
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            autofocus={error !== undefined && value === chosen}
          />
          <span>
            {text} <span class="quiet small">{hint}</span>
          </span>
        </label>
      ))}
      <div class="scopes">{children}</div>
      <FieldError of={name} error={error} />
    </fieldset>
  );
}
