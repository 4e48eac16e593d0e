import { Notice } from '../parts/notice.js';
import type { ShownConnection } from './connection-views.js';
import { needsNewSecret, wordsOf } from './provider-words.js';

/** What went wrong in the newest sync that ended, each with what helps; “Sync now” is below. */
export function ProblemList({ connection, problems }: Pick<ShownConnection, 'connection' | 'problems'>) {
  const { id, provider, staleness, missing_accounts: missing } = connection;
  // What needs the person is said above already.
  const others = problems.filter(({ message }) => message !== connection.status_reason);
  const old = staleness.level === 'stale' ? staleness.message : null;
  return (
    <>
      {others.map(({ kind, message, action, account_id: accountId }) => (
        <Notice key={`${accountId} ${message}`} kind="warn">
          <p>{message}</p>
          <p class="small">
            {whatToDo(action)} {accountId && <a href={`/accounts/${accountId}`}>See the account</a>}
          </p>
          {needsNewSecret(kind) && (
            <p>
              <a class="button second small" href={`/connections/${id}#credential`}>
                New {wordsOf(provider).secret.text}
              </a>
            </p>
          )}
        </Notice>
      ))}
      {others.length === 0 && old && <Notice kind="warn">{old}</Notice>}
      {missing.length > 0 && (
        <Notice kind="warn">
          Not listed by the bank any more, kept with their history:{' '}
          {missing.map(({ account_id: accountId, name }, i) => (
            <>
              {i > 0 && ', '}
              <a href={`/accounts/${accountId}`}>{name}</a>
            </>
          ))}
          .
        </Notice>
      )}
    </>
  );
}

/** Beside the problem it need not be said that there is nothing to do. */
function whatToDo(action: string): string {
  const said = action.replace(/^Nothing: /, '');
  return said.charAt(0).toUpperCase() + said.slice(1);
}
