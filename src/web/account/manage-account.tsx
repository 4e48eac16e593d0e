import { isOwn } from '../../balances/accounts/account.entity.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { Choice, Field, FoldedForm, PasswordField, SelectField } from '../components/form.js';
import { Money } from '../components/money.js';
import { MAX_NAME_CHARS } from '../../http/input/given.js';
import { Notice } from '../components/notice.js';
import { Day } from '../components/when.js';
import { TYPE_LABELS } from './account-labels.js';

const UNKNOWN = { value: '', text: 'Not known yet' };
const TYPES = Object.entries(TYPE_LABELS).map(([value, text]) => ({ value, text }));

export function EditAccount({ account }: { account: AccountRow }) {
  const { id, name, account_type: type } = account;
  return (
    <FoldedForm class="card" title="Name and type" action={`/accounts/${id}`} submit="Save" look="second">
      <Field name="name" label="Name" required maxLength={MAX_NAME_CHARS} value={name} />
      <SelectField
        name="account_type"
        label="Type"
        selected={type ?? ''}
        options={type === null ? [UNKNOWN, ...TYPES] : TYPES}
        hint="Sets whether this is an asset or a debt. Changing it recalculates the history."
      />
    </FoldedForm>
  );
}

interface BankListsItProps {
  account: AccountRow;
  /** The accounts of banks that it may be. */
  candidates: readonly AccountRow[];
}

/** For an account by hand that a connection has brought, too. */
export function BankListsIt({ account, candidates }: BankListsItProps) {
  return (
    <FoldedForm
      class="card"
      title="A bank lists it now"
      action={`/accounts/${account.id}/merge`}
      submit="Make them one account"
      look="second"
    >
      <input type="hidden" name="then" value="account" />
      <SelectField
        name="other"
        label="The bank’s account"
        selected=""
        options={candidates.map(({ id, name, institution }) => ({
          value: id,
          text: [name, institution].filter(Boolean).join(' · '),
        }))}
        hint="This one keeps its name and its values, and is synced from now on. It cannot be undone."
      />
    </FoldedForm>
  );
}

interface AccountLifeProps {
  account: AccountRow;
  today: CalendarDate;
}

/** The person's decisions about an account: whether it is open, counts and is shown. */
export function AccountLife({ account, today }: AccountLifeProps) {
  return (
    <FoldedForm class="card" title="Close or hide" action={`/accounts/${account.id}/life`} submit="Save" look="second">
      <Field
        name="closed_on"
        label="Closed on"
        type="date"
        max={today}
        value={account.closed_on ?? ''}
        hint="The history ends on this day, and later days count as zero. Leave empty while the account is open."
      />
      <Choice name="include_in_net_worth" checked={account.include_in_net_worth}>
        Include in net worth
      </Choice>
      <Choice name="hidden" checked={account.hidden}>
        Hide from the overview
      </Choice>
    </FoldedForm>
  );
}

export function DeleteAccount({ account }: { account: AccountRow }) {
  const { id, name, connection_id: connectionId } = account;
  return (
    <FoldedForm
      class="card"
      title="Delete this account"
      action={`/accounts/${id}/delete`}
      submit={`Delete ${name}`}
      look="danger"
    >
      <p class="quiet">
        Its history is lost for good.{' '}
        {connectionId &&
          'Syncs will skip it. You can restore it from its connection’s page, with only what the bank still lists.'}
        {!connectionId && !isOwn(account) && 'Connecting its bank again brings only what the bank still lists.'}
      </p>
      <p class="quiet">
        Download it first: <a href={`/accounts/${id}/transactions.csv`}>transactions</a>,{' '}
        <a href={`/accounts/${id}/balances.csv`}>balances</a> (CSV).
      </p>
      <PasswordField name="delete_password" label="Your password" />
    </FoldedForm>
  );
}

/** Which of its figures net worth excludes. */
export function LifeNotice({ account, currency }: { account: AccountRow; currency: string | null }) {
  const { closed_on: closedOn, balance_minor: balance, include_in_net_worth: isIncluded } = account;
  return (
    <>
      {closedOn && (
        <Notice kind="done">
          Closed on <Day date={closedOn} />.{' '}
          {currency && balance !== null && balance !== 0 && (
            <>
              Its last balance was <Money minor={balance} currency={currency} />, which counts up to that day and not
              afterwards.
            </>
          )}
        </Notice>
      )}
      {!isIncluded && <Notice kind="done">This account is left out of net worth.</Notice>}
    </>
  );
}
