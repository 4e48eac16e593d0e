import { SCOPES } from '../../auth/scopes.js';
import { ConfirmPassword } from '../components/confirm-password.js';
import { Field, type FieldErrors, SelectField } from '../components/field.js';
import { Form, Submit } from '../components/form.js';
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
    <details class="card" open={open}>
      <summary>New key</summary>
      <Form action="/keys" class="stack">
        <Field
          name="name"
          label="Name"
          required
          maxLength={MAX_KEY_NAME_CHARS}
          value={form.name}
          error={errors.name}
          hint="What the key is for, such as “spreadsheet”."
        />
        <fieldset class="presets" aria-describedby={errors.scopes ? 'scopes-error' : undefined}>
          <legend>Permissions</legend>
          {PRESETS.map(({ name, text, hint }) => (
            <label key={name} class="choice">
              <input
                type="radio"
                name="preset"
                value={name}
                checked={name === form.preset}
                autofocus={errors.scopes !== undefined && name === form.preset}
              />
              <span>
                {text} <span class="quiet small">{hint}</span>
              </span>
            </label>
          ))}
          <div class="scopes">
            {SCOPES.map((scope) => (
              <label key={scope} class="choice">
                <input type="checkbox" name="scopes" value={scope} checked={form.scopes.includes(scope)} />
                <code>{scope}</code>
              </label>
            ))}
          </div>
          {errors.scopes && (
            <p class="field-error" id="scopes-error">
              {errors.scopes}
            </p>
          )}
        </fieldset>
        {accounts.length > 0 && <AccountChoice form={form} accounts={accounts} error={errors.accounts} />}
        <SelectField name="expiry" label="Expires" selected={form.expiry} options={EXPIRIES} error={errors.expiry} />
        <ConfirmPassword id="key_password" error={errors.confirm_password} />
        <Submit>Create key</Submit>
      </Form>
    </details>
  );
}

interface AccountChoiceProps {
  form: KeyForm;
  accounts: readonly NamedAccount[];
  error: string | undefined;
}

function AccountChoice({ form, accounts, error }: AccountChoiceProps) {
  return (
    <fieldset class="presets" aria-describedby={error ? 'accounts-error' : undefined}>
      <legend>Accounts</legend>
      {ACCOUNT_CHOICES.map(({ value, text, hint }) => (
        <label key={value} class="choice">
          <input
            type="radio"
            name="accounts"
            value={value}
            checked={value === form.accounts}
            autofocus={error !== undefined && value === form.accounts}
          />
          <span>
            {text} <span class="quiet small">{hint}</span>
          </span>
        </label>
      ))}
      <div class="scopes">
        {accounts.map(({ id, name }) => (
          <label key={id} class="choice">
            <input type="checkbox" name="account_ids" value={id} checked={form.accountIds.includes(id)} />
            <span>{name}</span>
          </label>
        ))}
      </div>
      {error && (
        <p class="field-error" id="accounts-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
