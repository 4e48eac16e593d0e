import { Property } from '@mikro-orm/decorators/legacy';
import { MomentColumn, TextColumn, UserRow, UserTable } from '../database/columns.js';
import type { Scope } from './scopes.js';

@UserTable('api_keys')
export class ApiKey extends UserRow<'api_keys'> {
  @TextColumn()
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

  @MomentColumn({ nullable: true })
  previousValidUntil: Date | null;

  @MomentColumn({ nullable: true })
  rotatedAt: Date | null;

  /** The first 6 and last 4 characters, by which a person recognises the key. */
  @TextColumn()
  hint: string;

  @MomentColumn({ nullable: true })
  expiresAt: Date | null;

  @MomentColumn({ nullable: true })
  revokedAt: Date | null;

  /** Written at most once a minute. */
  @MomentColumn({ nullable: true })
  lastUsedAt: Date | null;

  @MomentColumn()
  createdAt: Date;
}
