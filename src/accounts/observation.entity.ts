import { BigIntType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { CalendarDate } from '../time/calendar-date.js';

/** What the provider reported of one account at one moment. Kept for good: the history is derived from these. */
@Entity({ tableName: 'observations' })
export class Observation {
  [PrimaryKeyProp]?: ['userId', 'accountId', 'observedAt'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: 'datetime' })
  observedAt: Date;

  /** The day of `observedAt` where the person was. */
  @Property({ type: 'date' })
  day: CalendarDate;

  /** In the provider's own sign. */
  @Property({ type: new BigIntType('number') })
  balanceMinor: number;

  @Property({ type: new BigIntType('number'), nullable: true })
  availableMinor: number | null;

  @Property({ type: 'date', nullable: true })
  balanceDate: CalendarDate | null;

  /** Amounts of the holds listed then, holder's view. */
  @Property({ type: 'array', columnType: 'bigint[]' })
  pendingMinor: string[];

  /** Whether the provider told the holdings then; rows of `holdings` say which. */
  @Property({ type: 'boolean' })
  hasHoldings: boolean;

  /** The provider's own total of the holdings, converted by whatever rate it has; in the minor unit of its currency. */
  @Property({ type: new BigIntType('number'), nullable: true })
  holdingsTotalMinor: number | null;

  @Property({ type: 'text', nullable: true })
  holdingsTotalCurrency: string | null;

  /** Of the whole report: the same report again on the same day is no news. */
  @Property({ type: 'text' })
  digest: string;
}
