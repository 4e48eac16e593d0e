import { EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { IdColumn, MomentColumn, TextColumn } from '../database/columns.js';
import { SessionsRepository } from './sessions.repository.js';

/** Who is signed in to the pages, and on which device. */
@Entity({ tableName: 'sessions', repository: () => SessionsRepository })
export class StoredSession {
  [EntityName]?: 'sessions';
  [EntityRepositoryType]?: SessionsRepository;
  [PrimaryKeyProp]?: ['userId', 'tokenHash'];

  @IdColumn({ primary: true })
  userId: string;

  /** SHA-256 of the cookie. The cookie itself is not stored. */
  @PrimaryKey({ type: 'blob', hidden: true })
  tokenHash: Uint8Array;

  @IdColumn()
  id: string;

  @TextColumn({ nullable: true })
  clientAddress: string | null;

  @TextColumn({ nullable: true })
  device: string | null;

  @MomentColumn({ nullable: true })
  passwordGivenAt: Date | null;

  @MomentColumn()
  createdAt: Date;

  /** Written at most once an hour. */
  @MomentColumn()
  lastSeenAt: Date;

  @MomentColumn()
  expiresAt: Date;
}
