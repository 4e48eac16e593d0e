import type { AccountRow } from '../../accounts/account.response.js';
import { Field, type FieldErrors, SelectField } from '../components/field.js';
import { Form, useIsTyped } from '../components/form.js';
import { MAX_NAME_CHARS } from '../components/name.js';
import { TYPE_WORDS } from './account-words.js';

const UNKNOWN = { value: '', text: 'Not known yet' };
const TYPES = Object.entries(TYPE_WORDS).map(([value, text]) => ({ value, text }));

export function EditAccount({ account, errors }: { account: AccountRow; errors: FieldErrors }) {
  const type = account.account_type;
  const action = `/accounts/${account.id}`;
  return (
    <details class="card" open={useIsTyped(action)}>
      <summary>Name and type</summary>
      <Form action={action} class="stack">
        <Field name="name" label="Name" required maxLength={MAX_NAME_CHARS} value={account.name} error={errors.name} />
        <SelectField
          name="account_type"
          label="Type"
          selected={type ?? ''}
          options={type === null ? [UNKNOWN, ...TYPES] : TYPES}
          hint="Sets whether this is an asset or a debt. Changing it recalculates the history."
        />
        <div>
          <button type="submit" class="second">
            Save
          </button>
        </div>
      </Form>
    </details>
  );
}
