import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { IdColumn, MomentColumn } from '../../../database/columns.js';

/** Two accounts that a person keeps separate: their merge is not suggested again. */
@Entity({ tableName: 'accounts_kept_apart' })
export class SeparateAccounts {
  [EntityName]?: 'accounts_kept_apart';
  [PrimaryKeyProp]?: ['userId', 'accountId', 'otherAccountId'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  accountId: string;

  @IdColumn({ primary: true })
  otherAccountId: string;

  @MomentColumn()
  createdAt: Date;
}
