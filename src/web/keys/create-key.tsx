import { SCOPES } from '../../auth/scopes.js';
import { ConfirmPassword } from '../components/confirm-password.js';
import { Field, type FieldErrors, SelectField } from '../components/field.js';
import { Form } from '../components/form.js';
import { EXPIRIES, type KeyForm, MAX_NAME_CHARS, PRESETS } from './key-form.js';

interface CreateKeyProps {
  form: KeyForm;
  errors: FieldErrors;
  open: boolean;
}

export function CreateKey({ form, errors, open }: CreateKeyProps) {
  return (
    <details class="card" open={open}>
      <summary>New key</summary>
      <Form action="/keys" class="stack">
        <Field
          name="name"
          label="Name"
          required
          maxLength={MAX_NAME_CHARS}
          value={form.name}
          error={errors.name}
          hint="What the key is for, such as “spreadsheet”."
        />
        <fieldset class="presets" aria-describedby={errors.scopes ? 'scopes-error' : undefined}>
          <legend>Permissions</legend>
          {PRESETS.map(({ name, text, hint }) => (
            <label key={name} class="choice">
              <input type="radio" name="preset" value={name} checked={name === form.preset} />
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
        <SelectField name="expiry" label="Expires" selected={form.expiry} options={EXPIRIES} />
        <ConfirmPassword id="key_password" error={errors.confirm_password} />
        <div>
          <button type="submit">Create key</button>
        </div>
      </Form>
    </details>
  );
}
