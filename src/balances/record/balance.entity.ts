import { BigIntType, EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { AccountSeriesRepository } from './account-series.repository.js';

const Minor = () => Property({ type: new BigIntType('number') });

/** One account on one day. Amounts in the currency's minor unit; liabilities are stored as what is owed. */
@Entity({ tableName: 'balances', repository: () => AccountSeriesRepository })
export class Balance {
  [EntityName]?: 'balances';
  [EntityRepositoryType]?: AccountSeriesRepository;
  [PrimaryKeyProp]?: ['userId', 'accountId', 'date'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: 'date' })
  date: CalendarDate;

  /** Stays the same through every derivation. */
  @Property({ type: 'uuid' })
  id: string;

  @Property({ type: 'text' })
  currency: string;

  @Property({ type: 'smallint' })
  flowsFactor: 1 | -1;

  @Property({ type: 'boolean' })
  hasCash: boolean;

  @Minor()
  startCash: number;

  @Minor()
  startNonCash: number;

  @Minor()
  cashInflows: number;

  @Minor()
  cashOutflows: number;

  @Minor()
  nonCashInflows: number;

  @Minor()
  nonCashOutflows: number;

  @Minor()
  netMarketFlows: number;

  @Minor()
  cashAdjustments: number;

  @Minor()
  nonCashAdjustments: number;

  @Minor()
  endCash: number;

  @Minor()
  endNonCash: number;

  @Property({ type: 'datetime' })
  createdAt: Date;

  /** Changes only with the content of the row. */
  @Property({ type: 'datetime' })
  updatedAt: Date;
}
