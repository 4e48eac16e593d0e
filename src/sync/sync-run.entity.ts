import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { ProviderErrorKind } from '../bank-provider/provider-error.js';

export const SYNC_STATUSES = ['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

export const SYNC_TRIGGERS = ['first', 'person', 'schedule', 'rebuild'] as const;
export type SyncTrigger = (typeof SYNC_TRIGGERS)[number];

export interface SyncProblem {
  kind: ProviderErrorKind | 'internal';
  message: string;
  /** The account it concerns; `null` when it concerns an institution or the whole connection. */
  accountId: string | null;
}

/** One sync of one connection, from being asked for to its end. */
@Entity({ tableName: 'sync_runs' })
export class SyncRun {
  [PrimaryKeyProp]?: ['userId', 'id'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** `null` once its connection was deleted. */
  @Property({ type: 'uuid', nullable: true })
  connectionId: string | null;

  @Property({ type: 'text' })
  trigger: SyncTrigger;

  @Property({ type: 'text' })
  status: SyncStatus;

  /** What is going on, for a person. */
  @Property({ type: 'text' })
  step: string;

  @Property({ type: 'integer' })
  accountsDone = 0;

  @Property({ type: 'integer', nullable: true })
  accountsTotal: number | null = null;

  @Property({ type: 'integer' })
  transactionsAdded = 0;

  @Property({ type: 'integer' })
  transactionsUpdated = 0;

  @Property({ type: 'integer' })
  transactionsRemoved = 0;

  @Property({ type: 'integer' })
  balancesWritten = 0;

  @Property({ type: 'json' })
  problems: SyncProblem[] = [];

  @Property({ type: 'datetime' })
  queuedAt: Date;

  @Property({ type: 'datetime', nullable: true })
  startedAt: Date | null = null;

  @Property({ type: 'datetime', nullable: true })
  finishedAt: Date | null = null;
}
