import { BigIntType, EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { HoldingsRepository } from './holdings.repository.js';

/** One position of one balance report. */
@Entity({ tableName: 'holdings', repository: () => HoldingsRepository })
export class Holding {
  [EntityName]?: 'holdings';
  [EntityRepositoryType]?: HoldingsRepository;
  [PrimaryKeyProp]?: ['userId', 'accountId', 'reportNumber', 'externalId'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: new BigIntType('number') })
  reportNumber: number;

  /** Stable identity of the security within the account. */
  @PrimaryKey({ type: 'text' })
  externalId: string;

  @Property({ type: 'text', nullable: true })
  symbol: string | null;

  @Property({ type: 'text' })
  name: string;

  /** Decimal text, exact. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  quantity: string;

  /** Per unit, decimal text; `null`: not reported. */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  price: string | null;

  @Property({ type: new BigIntType('number') })
  valueMinor: number;

  @Property({ type: 'text' })
  currency: string;

  /** Total cost of the position; `null` where the provider's figure is ambiguous. */
  @Property({ type: new BigIntType('number'), nullable: true })
  costBasisMinor: number | null;

  /** Listed as a holding, but cash to its owner. */
  @Property({ type: 'boolean' })
  cashEquivalent: boolean;
}
