import { ApiProperty } from '@nestjs/swagger';
import { PROVIDER_ERROR_KINDS } from '../bank-provider/provider-error.js';
import {
  SYNC_STATUSES,
  SYNC_TRIGGERS,
  type SyncProblem,
  type SyncRun,
  type SyncStatus,
  type SyncTrigger,
} from './sync-run.entity.js';

export class SyncProgress {
  @ApiProperty({ example: 'writing Everyday Checking', description: 'What is going on, for a person.' })
  step: string;

  @ApiProperty({ type: 'integer', example: 3 })
  accounts_done: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 6, description: '`null` until the provider has answered.' })
  accounts_total: number | null;
}

export class SyncCounts {
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
  @ApiProperty({ enum: [...PROVIDER_ERROR_KINDS, 'internal'], example: 'data_incomplete' })
  kind: SyncProblem['kind'];

  @ApiProperty({
    example: 'Tidewater Bank needs a new sign-in at the provider.',
    description: 'In words a person can act on.',
  })
  message: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The account it concerns, if it concerns one.',
  })
  account_id: string | null;
}

export class SyncResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: '`null` once the connection was removed.' })
  connection_id: string | null;

  @ApiProperty({ enum: SYNC_TRIGGERS })
  trigger: SyncTrigger;

  @ApiProperty({ enum: SYNC_STATUSES, description: '`partial`: something came in, something failed.' })
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

  @ApiProperty({ type: [SyncProblemResponse] })
  problems: SyncProblemResponse[];
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
    problems: run.problems.map(({ kind, message, accountId }) => ({ kind, message, account_id: accountId })),
  };
}
