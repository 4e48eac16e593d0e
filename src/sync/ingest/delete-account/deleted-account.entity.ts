import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** An account that a person deleted while its connection may still list it. Syncs leave it out. */
@Entity({ tableName: 'deleted_accounts' })
export class DeletedAccount {
  [EntityName]?: 'deleted_accounts';
  [PrimaryKeyProp]?: ['userId', 'connectionId', 'externalId'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  connectionId: string;

  @PrimaryKey({ type: 'text' })
  externalId: string;

  @Property({ type: 'uuid' })
  accountId: string;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'datetime' })
  deletedAt: Date;
}
