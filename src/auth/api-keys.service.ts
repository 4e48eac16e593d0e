import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../time/clock.js';
import { apiKeyHint, hashApiKey, isApiKeyShaped, newApiKey } from './api-key.js';
import { ApiKey } from './api-key.entity.js';
import type { Caller } from './caller.js';
import type { Scope } from './scopes.js';

/** How old `last_used_at` may be before it is written again. */
const LAST_USED_COARSE_MS = 60_000;

interface KeyRow {
  user_id: string;
  id: string;
  scopes: Scope[];
  last_used_at: Date | null;
  time_zone: string;
}

@Injectable()
export class ApiKeys {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @returns the stored key and its text, which cannot be shown again */
  async create(
    userId: string,
    { name, scopes, expiresAt }: { name: string; scopes: Scope[]; expiresAt: Date | null },
  ): Promise<{ apiKey: ApiKey; key: string }> {
    const key = newApiKey();
    const apiKey = this.em.create(ApiKey, {
      userId,
      id: randomUUID(),
      name,
      scopes,
      keyHash: hashApiKey(key),
      hint: apiKeyHint(key),
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: this.clock.now(),
    });
    await this.em.persist(apiKey).flush();
    return { apiKey, key };
  }

  /** Revoking twice keeps the first moment. `null` when there is no such key. */
  async revoke(id: string): Promise<ApiKey | null> {
    const apiKey = await this.em.findOne(ApiKey, { id });
    if (!apiKey) return null;
    apiKey.revokedAt ??= this.clock.now();
    await this.em.flush();
    return apiKey;
  }

  /** Who a key belongs to. `null` for unknown, revoked and expired alike: one query decides all three. */
  async authenticate(key: string): Promise<Caller | null> {
    if (!isApiKeyShaped(key)) return null;
    const now = this.clock.now();
    const { rows } = await sql<KeyRow>`
      select k.user_id, k.id, k.scopes, k.last_used_at, u.time_zone
      from api_keys k join users u on u.id = k.user_id
      where k.key_hash = ${hashApiKey(key)} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
    `.execute(this.em.getKysely());
    const row = rows[0];
    if (!row) return null;
    await this.#touch(row, now);
    return { userId: row.user_id, apiKeyId: row.id, scopes: row.scopes, timeZone: row.time_zone };
  }

  async #touch(row: KeyRow, now: Date): Promise<void> {
    if (row.last_used_at && now.getTime() - new Date(row.last_used_at).getTime() < LAST_USED_COARSE_MS) return;
    await sql`update api_keys set last_used_at = ${now} where user_id = ${row.user_id} and id = ${row.id}`.execute(
      this.em.getKysely(),
    );
  }
}
