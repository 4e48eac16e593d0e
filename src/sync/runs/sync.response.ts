import { Count, Flag, Group, Id, List, Moment, OneOf, responseOf, Text } from '../../http/members.js';
import { Pagination } from '../../http/pagination/page.js';
import {
  SYNC_PROBLEM_KINDS,
  SYNC_STATUSES,
  SYNC_TRIGGERS,
  type SyncedAccount,
  type SyncProblem,
  type SyncRun,
  type SyncStatus,
  type SyncTrigger,
} from '../sync-run.entity.js';
import { ONE_ACCOUNT_OUT_OF_REACH, PROBLEM_KINDS, PROBLEM_SEVERITIES, type ProblemSeverity } from './problem-kinds.js';

class SyncProgress {
  @Text({ example: 'writing Everyday Checking', description: 'The current step, for a person.' })
  step: string;

  @Count({ example: 3 })
  accounts_done: number;

  @Count({ nullable: true, example: 6, description: '`null` until the provider has answered.' })
  accounts_total: number | null;
}

class SyncCounts {
  @Count({ from: 'accounts_done', example: 6 })
  accounts: number;

  @Count({ example: 120 })
  transactions_added: number;

  @Count({ example: 2 })
  transactions_updated: number;

  @Count({ example: 1 })
  transactions_removed: number;

  @Count({ example: 540, description: 'Balance records inserted, changed or removed.' })
  balances_written: number;
}

function meaningOf({ kind, accountId }: SyncProblem): (typeof PROBLEM_KINDS)[SyncProblem['kind']] {
  return kind === 'network' && accountId !== null ? ONE_ACCOUNT_OUT_OF_REACH : PROBLEM_KINDS[kind];
}

export class SyncProblemResponse {
  @OneOf(SYNC_PROBLEM_KINDS, { example: 'data_incomplete' })
  kind: SyncProblem['kind'];

  @OneOf(PROBLEM_SEVERITIES, {
    from: (problem: SyncProblem) => meaningOf(problem).severity,
    description:
      '`failure`: something is missing, and the sync is `partial` or `failed`. `warning`, `note`: the sync is complete; ' +
      'a warning asks for your attention, a note says what is so with an account.',
  })
  severity: ProblemSeverity;

  @Text({
    example: 'Tidewater Bank needs a new sign-in at the provider.',
    description: 'A sentence that a person can act on.',
  })
  message: string;

  @Flag({
    from: (problem: SyncProblem) => meaningOf(problem).retryable,
    description: 'Whether the next sync may succeed by itself.',
  })
  retryable: boolean;

  @Text({
    from: (problem: SyncProblem) => meaningOf(problem).action,
    example: 'Check at the provider whether the bank needs a new sign-in.',
    description: 'What you can do.',
  })
  action: string;

  @Id({ nullable: true, description: 'The account it concerns, if it is stored.' })
  account_id: string | null;
}

export class SyncedAccountResponse {
  @Id({ nullable: true, description: '`null`: a new account that was not stored.' })
  account_id: string | null;

  @Text({ example: 'Everyday Checking' })
  name: string;

  @Count({ from: 'fetched', example: 122, description: 'Transactions in the provider’s answer.' })
  transactions_fetched: number;

  @Count({ from: 'added', example: 120 })
  transactions_added: number;

  @Count({ from: 'updated', example: 2 })
  transactions_updated: number;

  @Count({ from: 'removed', example: 1 })
  transactions_removed: number;

  @Count({ example: 540, description: 'Balance records inserted, changed or removed.' })
  balances_written: number;

  @List(SyncProblemResponse, { description: 'What failed with this account, and notes about it.' })
  problems: SyncProblemResponse[];
}

/** With the problems of each. */
function accountsOf({ accounts, problems }: SyncRun): (SyncedAccount & Pick<SyncRun, 'problems'>)[] {
  return accounts.map((account) => ({
    ...account,
    problems: problems.filter(({ accountExternalId }) => accountExternalId === account.externalId),
  }));
}

export class SyncResponse {
  @Id()
  id: string;

  @Id({ nullable: true, description: '`null` once the connection was removed.' })
  connection_id: string | null;

  @OneOf(SYNC_TRIGGERS)
  trigger: SyncTrigger;

  @OneOf(SYNC_STATUSES, {
    description: '`partial`: some data came in, and something failed. With notes alone a sync is `succeeded`.',
  })
  status: SyncStatus;

  @Moment()
  queued_at: string;

  @Moment({ nullable: true })
  started_at: string | null;

  @Moment({ nullable: true })
  finished_at: string | null;

  @Group(SyncProgress)
  progress: SyncProgress;

  @Group(SyncCounts)
  counts: SyncCounts;

  @List(SyncedAccountResponse, { from: accountsOf, description: 'The accounts that were written so far.' })
  accounts: SyncedAccountResponse[];

  @List(SyncProblemResponse, { description: 'All problems, those of accounts included; failures first.' })
  problems: SyncProblemResponse[];

  @Count({
    from: 'attempt',
    example: 1,
    description: 'How many workers have run it: more than one after a crash or a restart.',
  })
  attempts: number;
}

export class SyncCollection {
  @List(SyncResponse)
  syncs: SyncResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

export const toSyncResponse: (run: SyncRun) => SyncResponse = responseOf(SyncResponse);
export const toProblemResponse: (problem: SyncProblem) => SyncProblemResponse = responseOf(SyncProblemResponse);
