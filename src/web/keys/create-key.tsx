import { SCOPES } from '../../auth/scopes.js';
import { Choice, Choices, ConfirmPassword, Field, FoldedForm, SelectField } from '../components/form.js';
import { ACCOUNT_CHOICES, EXPIRIES, MAX_KEY_NAME_CHARS, PRESETS } from './key-form.js';

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
