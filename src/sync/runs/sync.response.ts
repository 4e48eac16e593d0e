import { ApiProperty } from '@nestjs/swagger';
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
  @ApiProperty({ example: 'writing Everyday Checking', description: 'The current step, for a person.' })
  step: string;

  @ApiProperty({ type: 'integer', example: 3 })
  accounts_done: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 6, description: '`null` until the provider has answered.' })
  accounts_total: number | null;
}

class SyncCounts {
  @ApiProperty({ type: 'integer', example: 6 })
  accounts: number;

  @ApiProperty({ type: 'integer', example: 120 })
  transactions_added: number;

  @ApiProperty({ type: 'integer', example: 2 })
  transactions_updated: number;

  @ApiProperty({ type: 'integer', example: 1 })
  transactions_removed: number;

  @ApiProperty({ type: 'integer', example: 540, description: 'Balance records inserted, changed or removed.' })
  balances_written: number;
}

export class SyncProblemResponse {
  @ApiProperty({ enum: SYNC_PROBLEM_KINDS, example: 'data_incomplete' })
  kind: SyncProblem['kind'];

  @ApiProperty({
    enum: PROBLEM_SEVERITIES,
    description:
      '`failure`: something is missing, and the sync is `partial` or `failed`. `warning`, `note`: the sync is complete; ' +
      'a warning asks for your attention, a note says what is so with an account.',
  })
  severity: ProblemSeverity;

  @ApiProperty({
    example: 'Tidewater Bank needs a new sign-in at the provider.',
    description: 'A sentence that a person can act on.',
  })
  message: string;

  @ApiProperty({ description: 'Whether the next sync may succeed by itself.' })
  retryable: boolean;

  @ApiProperty({
    example: 'Check at the provider whether the bank needs a new sign-in.',
    description: 'What you can do.',
  })
  action: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The account it concerns, if it is stored.',
  })
  account_id: string | null;
}

export class SyncedAccountResponse {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: '`null`: a new account that was not stored.',
  })
  account_id: string | null;

  @ApiProperty({ example: 'Everyday Checking' })
  name: string;

  @ApiProperty({ type: 'integer', example: 122, description: 'Transactions in the provider’s answer.' })
  transactions_fetched: number;

  @ApiProperty({ type: 'integer', example: 120 })
  transactions_added: number;

  @ApiProperty({ type: 'integer', example: 2 })
  transactions_updated: number;

  @ApiProperty({ type: 'integer', example: 1 })
  transactions_removed: number;

  @ApiProperty({ type: 'integer', example: 540, description: 'Balance records inserted, changed or removed.' })
  balances_written: number;

  @ApiProperty({ type: [SyncProblemResponse], description: 'What failed with this account, and notes about it.' })
  problems: SyncProblemResponse[];
}

export class SyncResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: '`null` once the connection was removed.' })
  connection_id: string | null;

  @ApiProperty({ enum: SYNC_TRIGGERS })
  trigger: SyncTrigger;

  @ApiProperty({
    enum: SYNC_STATUSES,
    description: '`partial`: some data came in, and something failed. With notes alone a sync is `succeeded`.',
  })
  status: SyncStatus;

  @ApiProperty({ format: 'date-time' })
  queued_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;

  @ApiProperty({ type: SyncProgress })
  progress: SyncProgress;

  @ApiProperty({ type: SyncCounts })
  counts: SyncCounts;

  @ApiProperty({ type: [SyncedAccountResponse], description: 'The accounts that were written so far.' })
  accounts: SyncedAccountResponse[];

  @ApiProperty({
    type: [SyncProblemResponse],
    description: 'All problems, those of accounts included; failures first.',
  })
  problems: SyncProblemResponse[];

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'How many workers have run it: more than one after a crash or a restart.',
  })
  attempts: number;
}

export class SyncCollection {
  @ApiProperty({ type: [SyncResponse] })
  syncs: SyncResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}

export function toSyncResponse(run: SyncRun): SyncResponse {
  return {
    id: run.id,
    connection_id: run.connectionId,
    trigger: run.trigger,
    status: run.status,
    queued_at: run.queuedAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    progress: { step: run.step, accounts_done: run.accountsDone, accounts_total: run.accountsTotal },
    counts: {
      accounts: run.accountsDone,
      transactions_added: run.transactionsAdded,
      transactions_updated: run.transactionsUpdated,
      transactions_removed: run.transactionsRemoved,
      balances_written: run.balancesWritten,
    },
    accounts: run.accounts.map((account) => toAccountResponse(account, run.problems)),
    problems: run.problems.map(toProblemResponse),
    attempts: run.attempt,
  };
}

function toAccountResponse(account: SyncedAccount, problems: SyncProblem[]): SyncedAccountResponse {
  const own = problems.filter(({ accountExternalId }) => accountExternalId === account.externalId);
  return {
    account_id: account.accountId,
    name: account.name,
    transactions_fetched: account.fetched,
    transactions_added: account.added,
    transactions_updated: account.updated,
    transactions_removed: account.removed,
    balances_written: account.balancesWritten,
    problems: own.map(toProblemResponse),
  };
}

export function toProblemResponse({ kind, message, accountId }: SyncProblem): SyncProblemResponse {
  const of = kind === 'network' && accountId !== null ? ONE_ACCOUNT_OUT_OF_REACH : PROBLEM_KINDS[kind];
  return { kind, message, ...of, account_id: accountId };
}
