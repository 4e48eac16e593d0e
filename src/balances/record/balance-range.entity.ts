import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** Days in a row of which an account has balance records in one currency. */
@Entity({ tableName: 'balance_spans' })
export class BalanceRange {
  [EntityName]?: 'balance_spans';
  [PrimaryKeyProp]?: ['userId', 'accountId', 'firstDate'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: 'date' })
  firstDate: CalendarDate;

  @Property({ type: 'date' })
  lastDate: CalendarDate;

  @Property({ type: 'text' })
  currency: string;
}
