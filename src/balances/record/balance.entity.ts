import { EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { DayColumn, FlagColumn, IdColumn, MinorColumn, MomentColumn, TextColumn } from '../../database/columns.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { AccountSeriesRepository } from './account-series.repository.js';

/** One account on one day. Amounts in the currency's minor unit; liabilities are stored as what is owed. */
@Entity({ tableName: 'balances', repository: () => AccountSeriesRepository })
export class Balance {
  [EntityName]?: 'balances';
  [EntityRepositoryType]?: AccountSeriesRepository;
  [PrimaryKeyProp]?: ['userId', 'accountId', 'date'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  accountId: string;

  @DayColumn({ primary: true })
  date: CalendarDate;

  /** Stays the same through every derivation. */
  @IdColumn()
  id: string;

  @TextColumn()
  currency: string;

  @Property({ type: 'smallint' })
  flowsFactor: 1 | -1;

  @FlagColumn()
  hasCash: boolean;

  @MinorColumn()
  startCash: number;

  @MinorColumn()
  startNonCash: number;

  @MinorColumn()
  cashInflows: number;

  @MinorColumn()
  cashOutflows: number;

  @MinorColumn()
  nonCashInflows: number;

  @MinorColumn()
  nonCashOutflows: number;

  @MinorColumn()
  netMarketFlows: number;

  @MinorColumn()
  cashAdjustments: number;

  @MinorColumn()
  nonCashAdjustments: number;

  @MinorColumn()
  endCash: number;

  @MinorColumn()
  endNonCash: number;

  @MomentColumn()
  createdAt: Date;

  /** Changes only with the content of the row. */
  @MomentColumn()
  updatedAt: Date;
}
