import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** Replaces a code of the app once, for when the app is lost. */
@Entity({ tableName: 'recovery_codes' })
export class RecoveryCode {
  [EntityName]?: 'recovery_codes';
  [PrimaryKeyProp]?: ['userId', 'codeHash'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  /** SHA-256 of the code. The code itself is not stored. */
  @PrimaryKey({ type: 'blob', hidden: true })
  codeHash: Uint8Array;

  @Property({ type: 'datetime', nullable: true })
  usedAt: Date | null;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
