import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** Two accounts that a person keeps separate: their merge is not suggested again. */
@Entity({ tableName: 'accounts_kept_apart' })
export class SeparateAccounts {
  [EntityName]?: 'accounts_kept_apart';
  [PrimaryKeyProp]?: ['userId', 'accountId', 'otherAccountId'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: 'uuid' })
  otherAccountId: string;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
