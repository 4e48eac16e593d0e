import type { Account } from '../accounts/account.entity.js';
import type { Connection } from '../connections/connection.entity.js';
import type { IngestProblem } from './ingest-problem.js';

/** Another connection already syncs this account, which would count twice otherwise. */
export class SyncedElsewhere extends Error {
  override readonly name = 'SyncedElsewhere';

  constructor(
    private readonly account: Pick<Account, 'id' | 'name'>,
    private readonly keeper: Pick<Connection, 'id' | 'name'>,
  ) {
    super(messageOf([account.name], keeper.name));
  }

  toProblem(accountExternalId: string): IngestProblem {
    const { id: accountId, name: accountName } = this.account;
    const { id: connectionId, name: connectionName } = this.keeper;
    return {
      kind: 'synced_elsewhere',
      message: this.message,
      accountId,
      accountExternalId,
      elsewhere: { accountName, connectionId, connectionName },
    };
  }
}

/** Joins the problems that name the same other connection into one. */
export function gatherSyncedElsewhere<Problem extends Omit<IngestProblem, 'kind'>>(
  problems: readonly Problem[],
): Problem[] {
  return problems.flatMap((problem) => {
    const { elsewhere } = problem;
    if (!elsewhere) return problem;
    const sameConnection = problems.filter((other) => other.elsewhere?.connectionId === elsewhere.connectionId);
    if (problem !== sameConnection[0]) return [];
    if (sameConnection.length === 1) return problem;
    const message = messageOf(
      sameConnection.map((other) => other.elsewhere!.accountName),
      elsewhere.connectionName,
    );
    return { ...problem, message, accountId: null, accountExternalId: null };
  });
}

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function messageOf(accountNames: readonly string[], connectionName: string): string {
  const are = accountNames.length === 1 ? 'is' : 'are';
  const accounts = LIST.format(accountNames.map((name) => `“${name}”`));
  return (
    `${accounts} ${are} already synced by the connection “${connectionName}” and ${are} left to it, ` +
    'so that nothing counts twice.'
  );
}
