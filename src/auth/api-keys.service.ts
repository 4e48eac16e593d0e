import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../time/clock.js';
import { apiKeyHint, hashApiKey, newApiKey } from './api-key.js';
import { ApiKey } from './api-key.entity.js';
import { CallerCache } from './caller-cache.js';
import type { Scope } from './scopes.js';

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly known: CallerCache,
  ) {}

  /** @returns the stored key and its text, which cannot be shown again */
  async create(
    userId: string,
    { name, scopes, expiresAt }: { name: string; scopes: Scope[]; expiresAt: Date | null },
  ): Promise<{ apiKey: ApiKey; key: string }> {
    const em = this.em.fork();
    const key = newApiKey();
    const apiKey = em.create(ApiKey, {
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
    await em.persist(apiKey).flush();
    return { apiKey, key };
  }

  /** Newest first. */
  list(userId: string): Promise<ApiKey[]> {
    return this.em.fork().find(ApiKey, { userId }, { orderBy: { createdAt: 'desc', id: 'asc' } });
  }

  /**
   * Revoking twice keeps the first moment. `null` when there is no such key.
   *
   * @param userId only a key of this person; absent: of anybody
   */
  async revoke(id: string, userId?: string): Promise<ApiKey | null> {
    const em = this.em.fork();
    const apiKey = await em.findOne(ApiKey, { id, ...(userId && { userId }) });
    if (!apiKey) return null;
    apiKey.revokedAt ??= this.clock.now();
    await em.flush();
    this.known.forget(apiKey.userId);
    return apiKey;
  }
}
