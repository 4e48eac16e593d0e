import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { IdColumn, MomentColumn } from '../../database/columns.js';

/** Replaces a code of the app once, for when the app is lost. */
@Entity({ tableName: 'recovery_codes' })
export class RecoveryCode {
  [EntityName]?: 'recovery_codes';
  [PrimaryKeyProp]?: ['userId', 'codeHash'];

  @IdColumn({ primary: true })
  userId: string;

  /** SHA-256 of the code. The code itself is not stored. */
  @PrimaryKey({ type: 'blob', hidden: true })
  codeHash: Uint8Array;

  @MomentColumn({ nullable: true })
  usedAt: Date | null;

  @MomentColumn()
  createdAt: Date;
}
