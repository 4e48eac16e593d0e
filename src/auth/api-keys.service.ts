import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { reader } from '../database/reader.js';
import { DomainError, validationFailed } from '../platform/domain-error.js';
import { MAX_CHOICES } from '../http/input/filter-parameters.js';
import { Clock } from '../platform/time/clock.js';
import { AuditTrailService } from './audit/audit-trail.service.js';
import { apiKeyHint, hashApiKey, newApiKey, secretIdOf } from './api-key.js';
import { ApiKey } from './api-key.entity.js';
import { CallerCache } from './caller-cache.js';
import { lockUser } from '../database/lock-user.js';
import { isAccountScope, type Scope } from './scopes.js';

/** Per person: each key has its own limits of requests, exports and event streams. */
const MAX_ACTIVE_KEYS = 50;
/** As many as a list takes in its filter. */
export const MAX_KEY_ACCOUNTS = MAX_CHOICES;
const NOT_OF_ACCOUNTS = 'is not available to a key that is limited to accounts';
const HOUR_MS = 3_600_000;

interface NewKey {
  name: string;
  scopes: Scope[];
  /** The accounts that the key is limited to; absent: all. */
  accountIds?: string[];
  expiresAt: Date | null;
}

interface Rotation {
  id: string;
  /** Only a key of this person; absent: of anybody. */
  userId?: string;
  /** How long the previous secret stays valid. */
  overlapHours: number;
  /** The secret that asks for the rotation, which must be the current one; absent: no secret does. */
  secretId?: string;
}

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly known: CallerCache,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * @returns the stored key and its secret, which cannot be shown again
   * @throws DomainError `conflict` when the person has as many active keys as allowed; `validation_failed` for a key that
   * is limited to accounts and has a scope that such a key cannot have
   */
  async create(
    userId: string,
    { name, scopes, accountIds, expiresAt }: NewKey,
  ): Promise<{ apiKey: ApiKey; key: string }> {
    if (accountIds) refuseLimits(scopes, accountIds);
    const key = newApiKey(accountIds);
    const apiKey = await this.em.transactional(async () => {
      await this.#refuseMany(userId);
      const created = this.em.create(ApiKey, {
        userId,
        id: randomUUID(),
        name,
        scopes,
        accountIds: accountIds?.map((id) => id.toLowerCase()) ?? null,
        keyHash: hashApiKey(key),
        hint: apiKeyHint(key),
        previousKeyHash: null,
        previousValidUntil: null,
        rotatedAt: null,
        expiresAt,
        revokedAt: null,
        lastUsedAt: null,
        createdAt: this.clock.now(),
      });
      await this.em.persist(created).flush();
      await this.audit.record({ userId, kind: 'api_key_created', ...subjectOf(created) });
      return created;
    });
    return { apiKey, key };
  }

  async #refuseMany(userId: string): Promise<void> {
    await lockUser(this.em, userId);
    const isActive = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: this.clock.now() } }] };
    if ((await this.em.count(ApiKey, { userId, ...isActive })) < MAX_ACTIVE_KEYS) return;
    throw new DomainError('conflict', `You have ${MAX_ACTIVE_KEYS} active keys, which is the limit. Revoke one first.`);
  }

  /** `null` once its person is deleted. */
  find(userId: string, id: string): Promise<ApiKey | null> {
    return reader(this.em).findOne(ApiKey, { userId, id });
  }

  /**
   * Replaces the secret of a key. Name, scopes, accounts and expiry stay. The previous secret stays valid for the
   * overlap; an older one ends at once.
   *
   * @returns `null` when there is no such key, or it is no longer valid
   */
  async rotate({ id, userId, overlapHours, secretId }: Rotation): Promise<{ apiKey: ApiKey; key: string } | null> {
    const now = this.clock.now();
    const rotated = await this.em.transactional(async () => {
      const found = await this.#lock(id, userId);
      if (!found || found.revokedAt !== null || (found.expiresAt !== null && found.expiresAt <= now)) return null;
      if (secretId !== undefined && secretId !== secretIdOf(found.keyHash)) return null;
      const key = newApiKey(found.accountIds);
      found.previousKeyHash = found.keyHash;
      found.previousValidUntil = new Date(now.getTime() + overlapHours * HOUR_MS);
      found.keyHash = hashApiKey(key);
      found.hint = apiKeyHint(key);
      found.rotatedAt = now;
      await this.em.flush();
      await this.audit.record({ userId: found.userId, kind: 'api_key_rotated', ...subjectOf(found) });
      return { apiKey: found, key };
    });
    if (rotated) this.known.forget(rotated.apiKey.userId);
    return rotated;
  }

  /** @param userId only a key of this person; absent: of anybody */
  #lock(id: string, userId?: string): Promise<ApiKey | null> {
    return this.em.findOne(ApiKey, { id, ...(userId && { userId }) }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** Newest first. */
  list(userId: string): Promise<ApiKey[]> {
    return reader(this.em).find(ApiKey, { userId }, { orderBy: { createdAt: 'desc', id: 'asc' } });
  }

  /**
   * Revoking twice keeps the first time.
   *
   * @param userId only a key of this person; absent: of anybody
   * @returns `null` when there is no such key
   */
  async revoke(id: string, userId?: string): Promise<ApiKey | null> {
    const apiKey = await this.em.transactional(async () => {
      const found = await this.#lock(id, userId);
      if (!found || found.revokedAt !== null) return found;
      found.revokedAt = this.clock.now();
      await this.em.flush();
      await this.audit.record({ userId: found.userId, kind: 'api_key_revoked', ...subjectOf(found) });
      return found;
    });
    if (!apiKey) return null;
    this.known.forget(apiKey.userId);
    return apiKey;
  }
}

function refuseLimits(scopes: readonly Scope[], accountIds: readonly string[]): void {
  const problems = scopes.filter((scope) => !isAccountScope(scope)).map((scope) => `${scope} ${NOT_OF_ACCOUNTS}`);
  if (accountIds.length === 0) problems.push('a key must be for at least one account');
  if (accountIds.length > MAX_KEY_ACCOUNTS) problems.push(`a key may name at most ${MAX_KEY_ACCOUNTS} accounts`);
  if (problems.length > 0) throw validationFailed(problems);
}

function subjectOf({ id, name, hint }: ApiKey): { subjectId: string; subject: string } {
  return { subjectId: id, subject: `${name} (${hint})` };
}
