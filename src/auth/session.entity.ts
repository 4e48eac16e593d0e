import { EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { SessionsRepository } from './sessions.repository.js';

/** Who is signed in to the pages, and on which device. */
@Entity({ tableName: 'sessions', repository: () => SessionsRepository })
export class StoredSession {
  [EntityName]?: 'sessions';
  [EntityRepositoryType]?: SessionsRepository;
  [PrimaryKeyProp]?: ['userId', 'tokenHash'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  /** SHA-256 of the cookie. The cookie itself is not stored. */
  @PrimaryKey({ type: 'blob', hidden: true })
  tokenHash: Uint8Array;

  @Property({ type: 'uuid' })
  id: string;

  @Property({ type: 'text', nullable: true })
  clientAddress: string | null;

  @Property({ type: 'text', nullable: true })
  device: string | null;

  @Property({ type: 'datetime', nullable: true })
  passwordGivenAt: Date | null;

  @Property({ type: 'datetime' })
  createdAt: Date;

  /** Written at most once an hour. */
  @Property({ type: 'datetime' })
  lastSeenAt: Date;

  @Property({ type: 'datetime' })
  expiresAt: Date;
}
