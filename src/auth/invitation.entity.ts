import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { IdColumn, MomentColumn } from '../database/columns.js';

/** Lets one person sign up. */
@Entity({ tableName: 'invitations' })
export class Invitation {
  [EntityName]?: 'invitations';
  [PrimaryKeyProp]?: ['userId', 'tokenHash'];

  /** Who invites. */
  @IdColumn({ primary: true })
  userId: string;

  /** SHA-256 of its text. The text itself is not stored. */
  @PrimaryKey({ type: 'blob', hidden: true })
  tokenHash: Uint8Array;

  @MomentColumn()
  expiresAt: Date;
}
