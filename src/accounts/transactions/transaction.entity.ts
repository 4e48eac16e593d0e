import { BigIntType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { CalendarDate } from '../../time/calendar-date.js';

@Entity({ tableName: 'transactions' })
export class Transaction {
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

  /** Booked: the booking day. Pending: the day it was made. */
  @Property({ type: 'date' })
  date: CalendarDate;

  /** Holder's view: positive = into the account. */
  @Property({ type: new BigIntType('number') })
  amountMinor: number;

  @Property({ type: 'text' })
  currency: string;

  @Property({ type: 'text' })
  description: string;

  @Property({ type: 'text', nullable: true })
  merchant: string | null;

  /** Authorised but not booked: shown, never counted. */
  @Property({ type: 'boolean' })
  pending: boolean;

  /** The id it had while it was pending, if it was booked under another. */
  @Property({ type: 'text', nullable: true })
  holdExternalId: string | null;

  /** Pending rows only: since when complete answers do not list it any more. */
  @Property({ type: 'datetime', nullable: true })
  missingSince: Date | null;

  /** When a sync first brought it as a booked row; decides whether an earlier observation had seen it. */
  @Property({ type: 'datetime' })
  firstSeenAt: Date;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime' })
  updatedAt: Date;
}
