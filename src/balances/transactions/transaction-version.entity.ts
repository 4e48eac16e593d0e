import { EntityName } from '@mikro-orm/core';
import { Entity, Property } from '@mikro-orm/decorators/legacy';
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
  @Property({ type: 'uuid' })
  transactionId: string;

  /** When an answer first listed this version. */
  @Property({ type: 'datetime' })
  listedFrom: Date;

  /** When a complete answer first omitted it. */
  @Property({ type: 'datetime' })
  listedUntil: Date;

  @Property({ type: 'text' })
  reason: VersionEndReason;

  /** The transaction that replaced a withdrawn or merged one, if known. */
  @Property({ type: 'uuid', nullable: true })
  replacedBy: string | null;

  /** When any version of the transaction was first listed. */
  @Property({ type: 'datetime' })
  firstSeenAt: Date;

  /** For a transaction that is listed again after it was withdrawn. */
  @Property({ type: 'datetime' })
  transactionCreatedAt: Date;
}
