import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** Lets one person sign up. */
@Entity({ tableName: 'invitations' })
export class Invitation {
  [EntityName]?: 'invitations';
  [PrimaryKeyProp]?: ['userId', 'tokenHash'];

  /** Who invites. */
  @PrimaryKey({ type: 'uuid' })
  userId: string;

  /** SHA-256 of its text. The text itself is not stored. */
  @PrimaryKey({ type: 'blob', hidden: true })
  tokenHash: Uint8Array;

  @Property({ type: 'datetime' })
  expiresAt: Date;
}
