import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Scope } from './scopes.js';

@Entity({ tableName: 'api_keys' })
export class ApiKey {
  [EntityName]?: 'api_keys';
  [PrimaryKeyProp]?: ['userId', 'id'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'array' })
  scopes: Scope[];

  /** The accounts that the key is limited to, deleted ones included; `null`: all. */
  @Property({ type: 'array', columnType: 'uuid[]', nullable: true })
  accountIds: string[] | null;

  /** SHA-256 of the key. The key itself is not stored. */
  @Property({ type: 'blob', hidden: true })
  keyHash: Uint8Array;

  /** The hash before the last rotation. */
  @Property({ type: 'blob', hidden: true, nullable: true })
  previousKeyHash: Uint8Array | null;

  @Property({ type: 'datetime', nullable: true })
  previousValidUntil: Date | null;

  @Property({ type: 'datetime', nullable: true })
  rotatedAt: Date | null;

  /** The first 6 and last 4 characters, by which a person recognises the key. */
  @Property({ type: 'text' })
  hint: string;

  @Property({ type: 'datetime', nullable: true })
  expiresAt: Date | null;

  @Property({ type: 'datetime', nullable: true })
  revokedAt: Date | null;

  /** Written at most once a minute. */
  @Property({ type: 'datetime', nullable: true })
  lastUsedAt: Date | null;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
