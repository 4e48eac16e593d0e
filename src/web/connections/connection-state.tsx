import type { ConnectionResponse } from '../../sync/overview/connection.response.js';
import type { SyncedAccountResponse, SyncResponse } from '../../sync/runs/sync.response.js';
import { isOpen } from '../../sync/sync-run.entity.js';
import { ButtonForm, Form } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { numberText } from '../components/money.js';
import { Moment } from '../components/when.js';
import { Column } from '../components/table.js';
import type { ShownConnection } from './connection-views.js';
import { ProblemList, SiteLink } from './problem-list.js';
import { MergeSuggestions } from './merge-suggestions.js';
import { accountsText, isUnpaid, outcomeText, stateOf } from './sync-labels.js';

export function isUnderWay(sync: SyncResponse | null): boolean {
  return sync !== null && isOpen(sync);
}

/** Of all syncs under way together: a person may send ten a second. */
const REQUESTS_A_SECOND = 3;

interface ConnectionStateProps extends ShownConnection {
  /** Whether the whole page is reloaded when the sync has ended. */
  reloads?: boolean;
}

/**
 * The part of a connection that a sync changes. While one is under way it asks whether the change log has news, all such
 * parts of a page together a few times a second, and is changed in place, so that screen readers hear how the sync has ended.
 */
export function ConnectionState({ reloads = false, ...view }: ConnectionStateProps) {
  const { connection, sync, mergeSuggestions, openRuns, revision } = view;
  const { id } = connection;
  const underWay = isUnderWay(sync);
  const state = stateOf(connection, sync);
  const href = `/connections/${id}/state?since=${encodeURIComponent(revision)}${reloads ? '&reloads=1' : ''}`;
  const renewal = {
    'hx-get': href,
    'hx-trigger': `every ${Math.max(Math.ceil(openRuns / REQUESTS_A_SECOND), 1)}s`,
    'hx-swap': 'outerMorph',
  };
  return (
    <div class="connection-state stack" {...(underWay && renewal)}>
      <p class="row">
        <span class={`badge ${state.look}`} role="status">
          {state.text}
        </span>
        <Times connection={connection} />
      </p>
      {underWay && sync && <Progress sync={sync} />}
      {!underWay && sync && <Outcome sync={sync} />}
      {!underWay && sync && <SyncedAccounts accounts={sync.accounts} />}
      {connection.status === 'attention_required' && <Attention {...view} />}
      {view.accessEndsSoon && <AccessEnds {...view} />}
      <ProblemList {...view} />
      {mergeSuggestions.map((offers) => (
        <MergeSuggestions key={offers[0]!.disconnected.id} offers={offers} then="connections" />
      ))}
      <DeletedAccounts {...connection} />
      {!underWay && (
        <Form action={`/connections/${id}/sync`} class="actions">
          {connection.request_budget.next_allowed_at === null && (
            <button type="submit" class="second small">
              Sync now
            </button>
          )}
          <Budget connection={connection} />
        </Form>
      )}
    </div>
  );
}

/** Accounts that syncs leave out, with a way to bring them back. */
function DeletedAccounts({ id, deleted_accounts: deleted }: ConnectionResponse) {
  if (deleted.length === 0) return null;
  return (
    <details>
      <summary class="small">{numberText(deleted.length)} deleted by you and no longer synced</summary>
      <ul class="lines">
        {deleted.map(({ account_id: accountId, name }) => (
          <li key={accountId} class="line">
            <span>{name}</span>
            <ButtonForm
              action={`/connections/${id}/restore`}
              hidden={{ account: accountId }}
              label={`Sync again: ${name}`}
            >
              Sync again
            </ButtonForm>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Outcome({ sync }: { sync: SyncResponse }) {
  return (
    <p class="quiet small">
      <a href={`/connections/${sync.connection_id}/syncs`}>Last sync</a>: {outcomeText(sync)}{' '}
      {sync.counts.balances_written > 0 && <a href="/">View overview</a>}
    </p>
  );
}

/** Automatic syncs stop until the person replaces the secret or removes the connection. */
function Attention({ connection, provider, problems }: ShownConnection) {
  const { id, status_reason: reason } = connection;
  return (
    <Notice kind="wrong">
      <p>{reason ?? 'This connection needs your attention.'}</p>
      <p class="actions">
        {provider && isUnpaid(problems) && <SiteLink provider={provider} look="button second small" />}
        {provider && !isUnpaid(problems) && (
          <a class="button second small" href={`/connections/${id}#credential`}>
            New {provider.secret.inSentence}
          </a>
        )}
        <a class="button second small" href={`/connections/${id}#remove`}>
          Remove
        </a>
      </p>
    </Notice>
  );
}

/** Nothing is wrong yet. */
function AccessEnds({ connection, provider }: ShownConnection) {
  return (
    <Notice kind="warn">
      <p>Your bank gives access for a limited time, which ends soon. Renewed in time, nothing is missing.</p>
      <p class="actions">
        <a class="button second small" href={`/connections/${connection.id}#credential`}>
          New {provider?.secret.inSentence ?? 'access'}
        </a>
      </p>
    </Notice>
  );
}

function Progress({ sync: { progress } }: { sync: SyncResponse }) {
  const { accounts_done: done, accounts_total: total } = progress;
  return (
    <div class="progress">
      <progress class="bar" aria-label="Sync" max={total ?? 1} value={total === null ? undefined : done} />
      <p class="quiet small">
        {total === null
          ? capitalized(progress.step)
          : `${numberText(done)} of ${numberText(total)} accounts · ${progress.step}`}
      </p>
    </div>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Times({ connection }: { connection: ConnectionResponse }) {
  const { last_synced_at: last, next_sync_at: next, access_until: until, accounts_count: accounts } = connection;
  return (
    <span class="quiet small">
      {accounts > 0 && `${accountsText(accounts)} · `}
      {last ? 'last synced ' : 'not synced yet'}
      {last && <Moment at={last} />}
      {next && ' · next '}
      {next && <Moment at={next} />}
      {until && ' · access until '}
      {until && <Moment at={until} />}
    </span>
  );
}

function Budget({ connection }: { connection: ConnectionResponse }) {
  const { limit, remaining, next_allowed_at: nextAt } = connection.request_budget;
  if (limit === null || remaining === null) return null;
  return (
    <span class="quiet small">
      {remaining === 0 ? 'No requests left' : `${remaining} of ${limit} requests left in 24 hours`}
      {nextAt && remaining > 0 && ', too few for a sync'}
      {nextAt && '. The next sync is possible on '}
      {nextAt && <Moment at={nextAt} />}
    </span>
  );
}

/** The result for every account. */
function SyncedAccounts({ accounts }: { accounts: readonly SyncedAccountResponse[] }) {
  if (accounts.length === 0) return null;
  return (
    <details>
      <summary class="small">Account by account</summary>
      <table class="small counts">
        <thead>
          <tr>
            <Column>Account</Column>
            <Column class="number">New</Column>
            <Column class="number">Changed</Column>
            <Column class="number">Removed</Column>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account, i) => (
            <AccountLine key={account.account_id ?? i} account={account} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function AccountLine({ account }: { account: SyncedAccountResponse }) {
  const { account_id: id, name, problems } = account;
  const hasFailure = problems.some(({ severity }) => severity === 'failure');
  return (
    <tr>
      <th scope="row">
        {id === null ? name : <a href={`/accounts/${id}`}>{name}</a>}
        {hasFailure && ' '}
        {hasFailure && <span class="badge warn">{id === null ? 'Failed' : 'Problems'}</span>}
      </th>
      <td class="number">{numberText(account.transactions_added)}</td>
      <td class="number">{numberText(account.transactions_updated)}</td>
      <td class="number">{numberText(account.transactions_removed)}</td>
    </tr>
  );
}
