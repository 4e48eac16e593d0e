import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { DayColumn, IdColumn, MinorColumn, TextColumn } from '../../database/columns.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** Consecutive days of an account whose balance is uncertain, by one amount. All other days of its history are certain. */
@Entity({ tableName: 'uncertain_days' })
export class UncertainDays {
  [EntityName]?: 'uncertain_days';
  [PrimaryKeyProp]?: ['userId', 'accountId', 'startDate'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  accountId: string;

  @DayColumn({ primary: true })
  startDate: CalendarDate;

  /** Inclusive. */
  @DayColumn()
  endDate: CalendarDate;

  @TextColumn()
  level: 'estimated' | 'unknown';

  /** By how much each balance is more or less by the other explanation; `null`: unknown. */
  @MinorColumn({ nullable: true })
  doubtMinor: number | null;
}
