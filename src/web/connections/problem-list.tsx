import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import type { SyncProblemResponse } from '../../sync/runs/sync.response.js';
import { Notice } from '../components/notice.js';
import type { ShownConnection } from './connection-views.js';

type ProblemListProps = Pick<ShownConnection, 'connection' | 'provider' | 'problems'>;

/** What went wrong in the newest sync that ended, each with what helps; “Sync now” is below. */
export function ProblemList({ connection, provider, problems }: ProblemListProps) {
  const { id, staleness, missing_accounts: missing } = connection;
  // What needs the person is said above already.
  const others = problems.filter(({ message }) => message !== connection.status_reason);
  const old = staleness.level === 'stale' ? staleness.message : null;
  return (
    <>
      {others.map(({ kind, message, action, account_id: accountId }) => (
        <Notice key={`${accountId} ${message}`} kind="warn">
          <p>{message}</p>
          <p class="small">
            {provider && needsNewSecret(kind) ? newSecret(provider) : whatToDo(action)}{' '}
            {accountId && <a href={`/accounts/${accountId}`}>View account</a>}
          </p>
          {provider && needsNewSecret(kind) && (
            <p>
              <a class="button second small" href={`/connections/${id}#credential`}>
                New {provider.secret.inSentence}
              </a>
            </p>
          )}
        </Notice>
      ))}
      {others.length === 0 && old && <Notice kind="warn">{old}</Notice>}
      {missing.length > 0 && (
        <Notice kind="warn">
          No longer listed by the bank; their history stays:{' '}
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

function needsNewSecret(kind: SyncProblemResponse['kind']): boolean {
  return kind === 'token_rejected' || kind === 'access_revoked';
}

/** The API's advice in the words of this provider. */
function newSecret({ secret }: ProviderDescriptor): string {
  return `Get a new ${secret.inSentence} from the provider and give it to this connection; accounts and history stay.`;
}

/** Beside the problem it need not be said that there is nothing to do. */
function whatToDo(action: string): string {
  const said = action.replace(/^No action needed\. /, '');
  return said.charAt(0).toUpperCase() + said.slice(1);
}
