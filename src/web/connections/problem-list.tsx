import type { ConnectionResponse } from '../../sync/connection.response.js';
import { Notice } from '../parts/notice.js';
import { remedyOf } from './provider-words.js';

/** What went wrong in the newest sync that ended, each with what helps. */
export function ProblemList({ connection }: { connection: ConnectionResponse }) {
  const { id, problems, staleness, missing_accounts: missing } = connection;
  const old = staleness.level === 'stale' ? staleness.message : null;
  return (
    <>
      {problems.map(({ kind, message, account_id: accountId }) => (
        <Notice key={`${accountId} ${message}`} kind="warn">
          <p>{message}</p>
          <p class="small">
            {remedyOf(kind) === 'credential' && <a href={`/connections/${id}#credential`}>Reconnect</a>}
            {remedyOf(kind) === 'sync' && '“Sync now” tries again. '}
            {accountId && <a href={`/accounts/${accountId}`}>See the account</a>}
          </p>
        </Notice>
      ))}
      {problems.length === 0 && old && <Notice kind="warn">{old}</Notice>}
      {missing.length > 0 && (
        <Notice kind="warn">
          Not listed by the bank any more, kept with their history: {missing.map(({ name }) => name).join(', ')}.
        </Notice>
      )}
    </>
  );
}
