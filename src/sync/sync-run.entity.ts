import type { Opt } from '@mikro-orm/core';
import {
  BigColumn,
  CountColumn,
  IdColumn,
  JsonColumn,
  MomentColumn,
  TextColumn,
  UserRow,
  UserTable,
} from '../database/columns.js';
import { PROVIDER_ERROR_KINDS } from '../providers/provider-error.js';
import type { IngestProblem } from './ingest/ingest-problem.js';

export const OPEN_STATUSES = ['queued', 'running'] as const;
export const SYNC_STATUSES = [...OPEN_STATUSES, 'succeeded', 'partial', 'failed', 'cancelled'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

/** Whether a run is queued or running. */
export function isOpen({ status }: { status: SyncStatus }): boolean {
  return (OPEN_STATUSES as readonly SyncStatus[]).includes(status);
}

/** The same as a condition on stored runs. */
export const OPEN = { status: { $in: [...OPEN_STATUSES] } };

export const SYNC_TRIGGERS = ['first', 'person', 'schedule'] as const;
export type SyncTrigger = (typeof SYNC_TRIGGERS)[number];

/** The errors of providers, and our own. */
export const SYNC_PROBLEM_KINDS = [
  ...PROVIDER_ERROR_KINDS,
  'unknown_provider',
  'internal',
  'interrupted',
  // Of stored runs. The account's reconciliation has it.
  'foreign_currency',
  'synced_elsewhere',
  'limit_reached',
  'data_stale',
] as const;
export type SyncProblemKind = (typeof SYNC_PROBLEM_KINDS)[number];

/** A problem of a sync, of storing its accounts or any other. */
export interface SyncProblem extends Omit<IngestProblem, 'kind'> {
  kind: SyncProblemKind;
}

/** What a run did with one account. */
export interface SyncedAccount {
  externalId: string;
  /** `null`: the account is new and could not be stored. */
  accountId: string | null;
  name: string;
  fetched: number;
  added: number;
  updated: number;
  removed: number;
  balancesWritten: number;
}

const MADE_AT = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

/** One sync of one connection, from its request to its end. Its id is that of its job. */
@UserTable('sync_runs')
export class SyncRun extends UserRow<'sync_runs'> {
  /** `null` once its connection was deleted. */
  @IdColumn({ nullable: true })
  connectionId: string | null;

  @TextColumn()
  trigger: SyncTrigger;

  @TextColumn()
  status: SyncStatus;

  /** The number of the newest attempt of its job; only that one may write for it. */
  @CountColumn()
  attempt = 0;

  /** Microseconds of the database's clock at its insert: the order of runs of one millisecond. */
  @BigColumn({ defaultRaw: MADE_AT })
  eventId: Opt<number>;

  /** The current step, for a person. */
  @TextColumn()
  step: string;

  @CountColumn()
  accountsDone = 0;

  @CountColumn({ nullable: true })
  accountsTotal: number | null = null;

  @CountColumn()
  transactionsAdded = 0;

  @CountColumn()
  transactionsUpdated = 0;

  @CountColumn()
  transactionsRemoved = 0;

  @CountColumn()
  balancesWritten = 0;

  @JsonColumn()
  accounts: SyncedAccount[] = [];

  @JsonColumn()
  problems: SyncProblem[] = [];

  @MomentColumn()
  queuedAt: Date;

  @MomentColumn({ nullable: true })
  startedAt: Date | null = null;

  @MomentColumn({ nullable: true })
  finishedAt: Date | null = null;
}

/**
 * Newest runs first. Of two runs of one connection and one millisecond, the older had ended when the newer was made.
 */
export const NEWEST_FIRST = { queuedAt: 'desc', connectionId: 'asc', eventId: 'desc', id: 'asc' } as const;
