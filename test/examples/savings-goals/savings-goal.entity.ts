import { BigIntType, EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { CalendarDate } from '../../../src/kit.js';
import { SavingsGoalsRepository } from './savings-goals.repository.js';

/** An amount that a person wants to have in an account, and by when. */
@Entity({ tableName: 'savings_goals', repository: () => SavingsGoalsRepository })
export class SavingsGoal {
  [EntityName]?: 'savings_goals';
  [EntityRepositoryType]?: SavingsGoalsRepository;
  [PrimaryKeyProp]?: ['userId', 'id'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'uuid' })
  accountId: string;

  @Property({ type: 'text' })
  name: string;

  /** In the minor unit of the currency. */
  @Property({ type: new BigIntType('number') })
  targetMinor: number;

  /** The account's when the goal was set. */
  @Property({ type: 'text' })
  currency: string;

  @Property({ type: 'date', nullable: true })
  dueOn: CalendarDate | null;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
