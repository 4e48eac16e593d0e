import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { CalendarDate } from '../../time/calendar-date.js';

/** The days of which an account has balance records in a currency. */
@Entity({ tableName: 'balance_spans' })
export class BalanceRange {
  [EntityName]?: 'balance_spans';
  [PrimaryKeyProp]?: ['userId', 'accountId', 'currency'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: 'text' })
  currency: string;

  @Property({ type: 'date' })
  firstDate: CalendarDate;

  @Property({ type: 'date' })
  lastDate: CalendarDate;

  @Property({ type: 'integer' })
  recordCount: number;
}
