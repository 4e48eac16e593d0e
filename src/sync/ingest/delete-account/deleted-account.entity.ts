import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { IdColumn, MomentColumn, TextColumn } from '../../../database/columns.js';

/** An account that a person deleted while its connection may still list it. Syncs leave it out. */
@Entity({ tableName: 'deleted_accounts' })
export class DeletedAccount {
  [EntityName]?: 'deleted_accounts';
  [PrimaryKeyProp]?: ['userId', 'connectionId', 'externalId'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  connectionId: string;

  @TextColumn({ primary: true })
  externalId: string;

  @IdColumn()
  accountId: string;

  @TextColumn()
  name: string;

  @MomentColumn()
  deletedAt: Date;
}
