import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { DayColumn, IdColumn, TextColumn } from '../../database/columns.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** Days in a row of which an account has balance records in one currency. */
@Entity({ tableName: 'balance_spans' })
export class BalanceRange {
  [EntityName]?: 'balance_spans';
  [PrimaryKeyProp]?: ['userId', 'accountId', 'firstDate'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  accountId: string;

  @DayColumn({ primary: true })
  firstDate: CalendarDate;

  @DayColumn()
  lastDate: CalendarDate;

  @TextColumn()
  currency: string;
}
