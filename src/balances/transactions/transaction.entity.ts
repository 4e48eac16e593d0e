import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { DayColumn, FlagColumn, IdColumn, MinorColumn, MomentColumn, TextColumn } from '../../database/columns.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

export const TRANSACTION_SOURCES = ['bank', 'file', 'person'] as const;
export type TransactionSource = (typeof TRANSACTION_SOURCES)[number];

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

  /**
   * As the bank lists it: mostly positive = into the account, see `Account.transactionsReversedSince`. Of a file or a person,
   * and where a person has corrected it, always so.
   */
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

  /** Who has listed it. */
  @TextColumn({ defaultRaw: `'bank'` })
  source: TransactionSource = 'bank';

  /** As listed, where a person has corrected the day; `null`: `date` is. */
  @DayColumn({ nullable: true })
  listedDate: CalendarDate | null = null;

  /** As listed, where a person has corrected the amount; `null`: `amountMinor` is. */
  @MinorColumn({ nullable: true })
  listedMinor: number | null = null;

  /** A person has said that it does not count. */
  @FlagColumn()
  excluded = false;

  @TextColumn({ nullable: true })
  note: string | null = null;

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
