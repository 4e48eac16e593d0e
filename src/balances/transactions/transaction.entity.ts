import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { DayColumn, FlagColumn, IdColumn, MinorColumn, MomentColumn, TextColumn } from '../../database/columns.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** What a transaction and its versions have in common. */
export abstract class TransactionFacts {
  [PrimaryKeyProp]?: ['userId', 'accountId', 'id'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  accountId: string;

  @IdColumn({ primary: true })
  id: string;

  /** The provider's id, unique within the account only. */
  @TextColumn()
  externalId: string;

  /** Posted: the posting day. Pending: the day it was made. */
  @DayColumn()
  date: CalendarDate;

  /** As the bank lists it: mostly positive = into the account, see `Account.transactionsReversedSince`. */
  @MinorColumn()
  amountMinor: number;

  @TextColumn()
  currency: string;

  @TextColumn()
  description: string;

  @TextColumn({ nullable: true })
  merchant: string | null;

  /** The id it had while pending, if it was posted under another. Named like its column. */
  @TextColumn({ nullable: true })
  holdExternalId: string | null;
}

@Entity({ tableName: 'transactions' })
export class Transaction extends TransactionFacts {
  [EntityName]?: 'transactions';

  /** Authorised but not posted: shown, never counted. */
  @FlagColumn()
  pending: boolean;

  /** Pending only: when a complete answer first omitted it. */
  @MomentColumn({ nullable: true })
  missingSince: Date | null;

  /** When a sync first listed it as posted. */
  @MomentColumn()
  firstSeenAt: Date;

  /** When it was first listed with its present date, amount and texts; `null`: when it was first seen. */
  @MomentColumn({ nullable: true })
  listedFrom: Date | null = null;

  @MomentColumn()
  createdAt: Date;

  @MomentColumn()
  updatedAt: Date;
}
