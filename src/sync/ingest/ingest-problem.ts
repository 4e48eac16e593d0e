import { type Account, MAX_ACCOUNTS_OF_PERSON } from '../../balances/accounts/account.entity.js';
import type { SnapshotAccount } from '../../providers/bank-provider.js';
import type { ListingCounts } from './matching/recognized-rows.js';
import type { Connection } from '../connections/connection.entity.js';

/** A part of an answer that cannot be counted. The run lists it. */
export interface IngestProblem {
  kind: 'synced_elsewhere' | 'data_stale' | 'data_incomplete' | 'limit_reached' | 'unexpected_reply';
  /** A sentence for the user. */
  message: string;
  /** `null`: it concerns several accounts, an institution or the whole connection. */
  accountId: string | null;
  /** The provider's id of the account, because an account that could not be stored has none of ours. */
  accountExternalId: string | null;
  /** With `synced_elsewhere`: the account, and the connection that syncs it. */
  elsewhere?: { accountName: string; connectionId: string; connectionName: string };
}

/** An answer that lacks most stored transactions is probably an error of the bank. */
export function tooManyMissingProblem(
  { id: accountId }: Account,
  { externalId, name }: SnapshotAccount,
  { missingCount, listedCount }: ListingCounts,
): IngestProblem {
  return {
    kind: 'data_incomplete',
    message:
      `${name}: the provider’s answer lacks at least ${missingCount} of ${missingCount + listedCount} transactions of the ` +
      'days it covers. They are kept, because banks rarely remove so many.',
    accountId,
    accountExternalId: externalId,
  };
}

/** The feed of an account writes days where it wrote moments. */
export function daysReadAgainProblem({ externalId, name }: SnapshotAccount, accountId: string): IngestProblem {
  const reason = `${name}: the provider now reports the days of transactions in place of their times.`;
  return {
    kind: 'unexpected_reply',
    message: `${reason} The listed ones were read again, so some may have moved by a day.`,
    accountId,
    accountExternalId: externalId,
  };
}

/** The provider lists an account as if all were well, and brings nothing new of it. */
export function staleProblems({ id, externalId, name, staleSince, closedOn }: Account): IngestProblem[] {
  if (staleSince === null || closedOn !== null) return [];
  const message =
    `${name}: the provider has brought nothing new of this account since ${staleSince}, though it reports no error. ` +
    'The balance is of that day.';
  return [{ kind: 'data_stale', message, accountId: id, accountExternalId: externalId }];
}

/** An account of an answer that cannot be stored for a reason that a person should know. */
export abstract class AccountLeftOutError extends Error {
  abstract toProblem(accountExternalId: string): IngestProblem;
}

/** The provider lists an account that a person deleted. */
export class AccountDeletedError extends Error {
  override readonly name = 'AccountDeletedError';
}

/** A person has as many accounts as one may have. */
export class TooManyAccounts extends AccountLeftOutError {
  override readonly name = 'TooManyAccounts';

  constructor(accountName: string) {
    const limit = MAX_ACCOUNTS_OF_PERSON.toLocaleString('en');
    super(`“${accountName}” is left out, because you have ${limit} accounts, which is the limit.`);
  }

  toProblem(accountExternalId: string): IngestProblem {
    return { kind: 'limit_reached', message: this.message, accountId: null, accountExternalId };
  }
}

/** An account, or all accounts of a person, would have more than they may, as with a provider whose ids never return. */
export class TooManyTransactions extends AccountLeftOutError {
  override readonly name = 'TooManyTransactions';

  /** @param bound what would be too many: “it would have more than 1,000 transactions” */
  constructor(
    private readonly account: Pick<Account, 'id' | 'name'>,
    bound: string,
  ) {
    super(
      `“${account.name}” is not updated, because ${bound}, which is the limit. If a bank lists transactions under new ids ` +
        'again and again, delete the account and restore it; if they are all real, MAX_TRANSACTIONS_PER_PERSON allows more.',
    );
  }

  toProblem(accountExternalId: string): IngestProblem {
    return { kind: 'limit_reached', message: this.message, accountId: this.account.id, accountExternalId };
  }
}

/** Another connection already syncs this account, which would count twice otherwise. */
export class SyncedElsewhere extends AccountLeftOutError {
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

function messageOf(accountNames: readonly string[], connectionName: string): string {
  const are = accountNames.length === 1 ? 'is' : 'are';
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  const accounts = list.format(accountNames.map((name) => `“${name}”`));
  return (
    `${accounts} ${are} already synced by the connection “${connectionName}” and skipped here, ` +
    'so that nothing counts twice.'
  );
}
