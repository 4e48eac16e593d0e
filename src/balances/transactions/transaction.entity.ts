import { BigIntType, EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** What a transaction and its versions have in common. */
export abstract class TransactionFacts {
  [PrimaryKeyProp]?: ['userId', 'accountId', 'id'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** The provider's id, unique within the account only. */
  @Property({ type: 'text' })
  externalId: string;

  /** Posted: the posting day. Pending: the day it was made. */
  @Property({ type: 'date' })
  date: CalendarDate;

  /** As the bank lists it: mostly positive = into the account, see `Account.transactionsReversedSince`. */
  @Property({ type: new BigIntType('number') })
  amountMinor: number;

  @Property({ type: 'text' })
  currency: string;

  @Property({ type: 'text' })
  description: string;

  @Property({ type: 'text', nullable: true })
  merchant: string | null;

  /** The id it had while pending, if it was posted under another. Named like its column. */
  @Property({ type: 'text', nullable: true })
  holdExternalId: string | null;
}

@Entity({ tableName: 'transactions' })
export class Transaction extends TransactionFacts {
  [EntityName]?: 'transactions';

  /** Authorised but not posted: shown, never counted. */
  @Property({ type: 'boolean' })
  pending: boolean;

  /** Pending only: when a complete answer first omitted it. */
  @Property({ type: 'datetime', nullable: true })
  missingSince: Date | null;

  /** When a sync first listed it as posted. */
  @Property({ type: 'datetime' })
  firstSeenAt: Date;

  /** When it was first listed with its present date, amount and texts; `null`: when it was first seen. */
  @Property({ type: 'datetime', nullable: true })
  listedFrom: Date | null = null;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime' })
  updatedAt: Date;
}
