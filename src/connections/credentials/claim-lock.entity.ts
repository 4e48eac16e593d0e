import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** Locks a pasted secret for all instances while one of them spends it. */
@Entity({ tableName: 'claim_locks' })
export class ClaimLock {
  [EntityName]?: 'claim_locks';
  [PrimaryKeyProp]?: ['userId', 'provider', 'fingerprint'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'text' })
  provider: string;

  /** Of the pasted secret. */
  @PrimaryKey({ type: 'text' })
  fingerprint: string;

  /** Whoever acquired the lock; each time another id. */
  @Property({ type: 'uuid' })
  holder: string;

  /** The connection that was made; `null` while it is being made. */
  @Property({ type: 'uuid', nullable: true })
  connectionId: string | null;

  @Property({ type: 'datetime' })
  expiresAt: Date;
}
