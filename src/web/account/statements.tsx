import { isOwn } from '../../balances/accounts/account.entity.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import { accountRules } from '../../balances/engine/account-type.js';
import type { StatementRow } from '../../balances/own-knowledge/statement.response.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { ButtonForm, Field, Form, Submit } from '../components/form.js';
import { Money, numberText } from '../components/money.js';
import { Day, dayText } from '../components/when.js';

interface StatementsCardProps {
  account: AccountRow;
  today: CalendarDate;
}

/** On the page of an account. Comparing takes time, so the list is loaded after the page is shown. */
export function StatementsCard({ account, today }: StatementsCardProps) {
  const href = `/accounts/${account.id}/statements`;
  const isByHand = isOwn(account);
  return (
    <section class="card" id="statements">
      <div class="card-head">
        <h2>{isByHand ? 'Values' : 'Statements'}</h2>
        <a class="small" href={href} aria-label={isByHand ? 'All values' : 'All statements'}>
          All
        </a>
      </div>
      <div class="stack">
        <div hx-get={href} hx-trigger="load" hx-swap="outerHTML">
          <p class="quiet small">{isByHand ? 'What it is worth.' : 'Compare with the bank’s documents.'}</p>
        </div>
        <details open={isByHand}>
          <summary>{isByHand ? 'Value on a day' : 'State a balance'}</summary>
          <StatementForm account={account} today={today} />
        </details>
      </div>
    </section>
  );
}

export function StatementForm({ account, today }: StatementsCardProps) {
  const isByHand = isOwn(account);
  const isDebt = accountRules(account.account_type).factor === -1;
  return (
    <Form action={`/accounts/${account.id}/statements`} class="stack">
      <Field
        id="statement-date"
        name="date"
        label={isByHand ? 'Day' : 'End of the day'}
        type="date"
        required
        max={today}
        value={today}
      />
      <Field
        id="statement-balance"
        name="balance"
        label={isByHand ? 'Value' : 'Balance'}
        required
        hint={`In ${account.currency}${isDebt ? ', as a positive amount' : ''}. A second one of the same day replaces the first.`}
      />
      <Submit class="second">{isByHand ? 'Save value' : 'Add statement'}</Submit>
    </Form>
  );
}

interface StatementListProps {
  account: AccountRow;
  rows: readonly StatementRow[];
  /** How many are not shown. */
  more?: number;
}

export function StatementList({ account, rows, more = 0 }: StatementListProps) {
  if (rows.length === 0) return <p class="quiet small">{isOwn(account) ? 'No value yet.' : 'No statement yet.'}</p>;
  return (
    <div class="stack">
      <ul class="lines">
        {rows.map((row) => (
          <StatementLine key={row.id} account={account} row={row} />
        ))}
      </ul>
      {more > 0 && <p class="quiet small">And {numberText(more)} more.</p>}
    </div>
  );
}

function StatementLine({ account, row }: { account: AccountRow; row: StatementRow }) {
  const { id, date, balance_minor: balance, currency, list_id: listId, prevails, counts, agrees } = row;
  const action = `/accounts/${account.id}/statements/${id}`;
  const day = dayText(date);
  const canPrefer = prevails || (!counts && agrees === false);
  return (
    <li class="line">
      <div>
        <p>
          <Day date={date} />{' '}
          <b>
            <Money minor={balance} currency={currency} />
          </b>{' '}
          {listId !== null && <span class="badge">From a file</span>}
        </p>
        <Comparison row={row} isByHand={isOwn(account)} />
      </div>
      {canPrefer && (
        <ButtonForm action={`${action}/prevails`} hidden={{ prevails: String(!prevails) }}>
          {prevails ? 'Let the bank’s balance count' : 'Let the statement count'}
        </ButtonForm>
      )}
      {listId === null && (
        <ButtonForm action={`${action}/remove`} label={`Remove ${day}`}>
          Remove
        </ButtonForm>
      )}
    </li>
  );
}

/** Whether it agrees with what else is known, and which of the two counts. */
function Comparison({ row, isByHand }: { row: StatementRow; isByHand: boolean }) {
  const { agrees, derived_balance_minor: derived, currency, counts } = row;
  if (agrees) return <p class="quiet small">Agrees with the transactions.</p>;
  if (agrees === null) return isByHand ? null : <p class="quiet small">There is nothing to compare it with.</p>;
  return (
    <p class="small">
      Differs: {isByHand ? 'the transactions say' : 'the bank and its transactions say'}{' '}
      <Money minor={derived} currency={currency} />. {counts ? 'The statement counts.' : 'The bank’s balance counts.'}
    </p>
  );
}
