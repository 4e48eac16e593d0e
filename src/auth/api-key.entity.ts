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

  /** SHA-256 of the key, which itself is kept nowhere. */
  @Property({ type: 'blob', hidden: true })
  keyHash: Uint8Array;

  /** First 6 and last 4 characters, for a person to recognise it by. */
  @Property({ type: 'text' })
  hint: string;

  @Property({ type: 'datetime', nullable: true })
  expiresAt: Date | null;

  @Property({ type: 'datetime', nullable: true })
  revokedAt: Date | null;

  /** At most one write a minute. */
  @Property({ type: 'datetime', nullable: true })
  lastUsedAt: Date | null;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
