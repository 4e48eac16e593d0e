import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** Consecutive days of an account whose balance is uncertain. All other days of its history are certain. */
@Entity({ tableName: 'uncertain_days' })
export class UncertainDays {
  [EntityName]?: 'uncertain_days';
  [PrimaryKeyProp]?: ['userId', 'accountId', 'startDate'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: 'date' })
  startDate: CalendarDate;

  /** Inclusive. */
  @Property({ type: 'date' })
  endDate: CalendarDate;

  @Property({ type: 'text' })
  level: 'estimated' | 'unknown';
}
