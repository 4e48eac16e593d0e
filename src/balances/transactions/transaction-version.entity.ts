import { EntityName } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { IdColumn, MomentColumn, TextColumn } from '../../database/columns.js';
import { TransactionFacts } from './transaction.entity.js';

/**
 * Why a version of a posted transaction ended: the bank changed it; the bank changed it and lists it under another id;
 * the bank no longer lists it; its account was merged into one with the same transaction.
 */
export const VERSION_END_REASONS = ['changed', 'reissued', 'withdrawn', 'merged'] as const;
export type VersionEndReason = (typeof VERSION_END_REASONS)[number];

/** A posted transaction as the bank listed it for a period, until it changed or withdrew it. Never updated. */
@Entity({ tableName: 'transaction_versions' })
export class TransactionVersion extends TransactionFacts {
  [EntityName]?: 'transaction_versions';

  /** A withdrawn transaction has versions only. */
  @IdColumn()
  transactionId: string;

  /** When an answer first listed this version. */
  @MomentColumn()
  listedFrom: Date;

  /** When a complete answer first omitted it. */
  @MomentColumn()
  listedUntil: Date;

  @TextColumn()
  reason: VersionEndReason;

  /** The transaction that replaced a withdrawn or merged one, if known. */
  @IdColumn({ nullable: true })
  replacedBy: string | null;

  /** When any version of the transaction was first listed. */
  @MomentColumn()
  firstSeenAt: Date;

  /** For a transaction that is listed again after it was withdrawn. */
  @MomentColumn()
  transactionCreatedAt: Date;
}
