import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Property } from '@mikro-orm/decorators/legacy';
import {
  BigColumn,
  DayColumn,
  FlagColumn,
  IdColumn,
  MinorColumn,
  MomentColumn,
  TextColumn,
} from '../../database/columns.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/**
 * What the provider reported about one account at one time. The history is derived from it, so what was reported stays, but
 * not each row: old equal ones are folded, and others move to another account. Read through the view `reports`, since an old
 * row may stand for several reports.
 */
@Entity({ tableName: 'observations' })
export class BalanceReport {
  [EntityName]?: 'observations';
  [PrimaryKeyProp]?: ['userId', 'accountId', 'number'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  accountId: string;

  @BigColumn({ primary: true })
  number: number;

  @MomentColumn()
  observedAt: Date;

  /** The day of `observedAt` in the user's timezone. */
  @DayColumn()
  day: CalendarDate;

  /** ISO 4217 code of the amounts. A report keeps it when the account is re-denominated. */
  @TextColumn()
  currency: string;

  /** With the provider's own sign. */
  @MinorColumn()
  balanceMinor: number;

  @MinorColumn({ nullable: true })
  availableMinor: number | null;

  @DayColumn({ nullable: true })
  balanceDate: CalendarDate | null;

  /** Amounts of the pending transactions in the same answer, in the holder's view. */
  @Property({ type: 'array', columnType: 'bigint[]' })
  pendingMinor: string[];

  /** Whether the answer listed the holdings, which are rows of `holdings`. */
  @FlagColumn()
  hasHoldings: boolean;

  /** The provider's own total of the holdings, converted at its own rates, in minor units of its currency. */
  @MinorColumn({ nullable: true })
  holdingsTotalMinor: number | null;

  @TextColumn({ nullable: true })
  holdingsTotalCurrency: string | null;

  /** Digest of the whole report: an equal report on the same day is not stored again. */
  @TextColumn()
  digest: string;

  /** Times, days and balance dates of later equal reports, whose rows were removed. */
  @Property({ type: 'array', columnType: 'timestamptz[]', nullable: true })
  repeatedAt: string[] | null;

  @Property({ type: 'array', columnType: 'date[]', nullable: true })
  repeatedDays: string[] | null;

  @Property({ type: 'array', columnType: 'date[]', nullable: true })
  repeatedBalanceDates: string[] | null;
}
