import { EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { BigColumn, FlagColumn, IdColumn, MinorColumn, TextColumn } from '../../database/columns.js';
import { HoldingsRepository } from './holdings.repository.js';

/** One position of one balance report. */
@Entity({ tableName: 'holdings', repository: () => HoldingsRepository })
export class Holding {
  [EntityName]?: 'holdings';
  [EntityRepositoryType]?: HoldingsRepository;
  [PrimaryKeyProp]?: ['userId', 'accountId', 'reportNumber', 'externalId'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  accountId: string;

  @BigColumn({ primary: true })
  reportNumber: number;

  /** Stable identity of the security within the account. */
  @TextColumn({ primary: true })
  externalId: string;

  @TextColumn({ nullable: true })
  symbol: string | null;

  @TextColumn()
  name: string;

  /** Decimal text, exact. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  quantity: string;

  /** Per unit, decimal text; `null`: not reported. */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  price: string | null;

  @MinorColumn()
  valueMinor: number;

  @TextColumn()
  currency: string;

  /** Total cost of the position; `null` where the provider's figure is ambiguous. */
  @MinorColumn({ nullable: true })
  costBasisMinor: number | null;

  /** Listed as a holding, but cash to its owner. */
  @FlagColumn()
  cashEquivalent: boolean;
}
