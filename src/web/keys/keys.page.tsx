import { Page } from '../layout/document.js';
import type { FieldErrors } from '../components/field.js';
import { CreateKey, type NamedAccount } from './create-key.js';
import { Notice } from '../components/notice.js';
import { CreatedKey, type CreatedKeyProps } from './created-key.js';
import type { KeyForm } from './key-form.js';
import { KeyTable, type RefusedRotation, type ShownKey } from './key-table.js';
import type { ShownOnce } from '../layout/sent-twice.js';

interface KeysPageProps {
  keys: readonly ShownKey[];
  accounts: readonly NamedAccount[];
  form: KeyForm;
  errors: FieldErrors;
  /** The key that the form created, shown once. */
  created: ShownOnce<CreatedKeyProps>;
  refused?: RefusedRotation | null;
  now: Date;
}

export function KeysPage({ keys, accounts, form, errors, created, refused = null, now }: KeysPageProps) {
  return (
    <Page
      title="API keys"
      lead={
        <>
          For your own programs. Accounts, balances, transactions and connections are available in the API: see{' '}
          <a href="/docs">its documentation</a>.
        </>
      }
      isReading
    >
      {created === 'shown-before' && <ShownBefore />}
      {created && created !== 'shown-before' && <CreatedKey {...created} />}
      {keys.length > 0 && <KeyTable keys={keys} accounts={accounts} refused={refused} now={now} />}
      <CreateKey
        form={form}
        accounts={accounts}
        errors={errors}
        open={keys.length === 0 || form.name !== '' || Object.keys(errors).length > 0}
      />
    </Page>
  );
}

function ShownBefore() {
  return <Notice kind="warn">A key is shown only once. If you did not copy it, revoke it and create another.</Notice>;
}
