import { Injectable } from '@nestjs/common';
import { PlainPool } from '../database/plain-pool.js';
import { Clock } from '../platform/time/clock.js';
import { hashApiKey, isApiKeyShaped, secretIdOf } from './api-key.js';
import type { Caller } from '../http/caller.js';
import { CallerCache, type KnownCaller } from './caller-cache.js';
import type { Scope } from './scopes.js';

/** How old `last_used_at` may be before it is written again. */
const LAST_USED_COARSE_MS = 60_000;

interface KeyRow {
  user_id: string;
  id: string;
  scopes: Scope[];
  account_ids: string[] | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  time_zone: string;
}

// Raw, because prepared statements are text.
const VALID_KEY = {
  name: 'valid-api-key',
  text: `
    select k.user_id, k.id, k.scopes, k.account_ids, k.last_used_at, u.time_zone,
      case when k.key_hash = $1 then k.expires_at else least(k.expires_at, k.previous_valid_until) end as expires_at
    from api_keys k join users u on u.id = k.user_id
    where (k.key_hash = $1 or (k.previous_key_hash = $1 and k.previous_valid_until > $2))
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`,
};

const TOUCH_KEY = {
  name: 'touch-api-key',
  text: `update api_keys set last_used_at = $3 where user_id = $1 and id = $2`,
};

/** Finds the caller of an API key. */
@Injectable()
export class ApiKeyAuthenticationService {
  constructor(
    private readonly pool: PlainPool,
    private readonly clock: Clock,
    private readonly known: CallerCache,
  ) {}

  /** `null` for unknown, revoked and expired keys alike. */
  async authenticate(key: string): Promise<Caller | null> {
    const now = this.clock.now();
    const hash = hashApiKey(key);
    const name = hash.toString('latin1');
    const found = this.known.find(name, now.getTime()) ?? (await this.#read(key, hash, name, now));
    if (!found || (found.expiresAt && found.expiresAt <= now)) return null;
    await this.#touch(found, now);
    return found.caller;
  }

  async #read(key: string, hash: Buffer, name: string, now: Date): Promise<KnownCaller | null> {
    if (!isApiKeyShaped(key)) return null;
    const { generation } = this.known;
    const [row] = await this.pool.query<KeyRow>(VALID_KEY, [hash, now]);
    if (!row) return null;
    const found = {
      caller: {
        userId: row.user_id,
        apiKeyId: row.id,
        secretId: secretIdOf(hash),
        scopes: row.scopes,
        accountIds: row.account_ids,
        timeZone: row.time_zone,
      },
      expiresAt: row.expires_at && new Date(row.expires_at),
      lastUsedAt: row.last_used_at ? new Date(row.last_used_at).getTime() : -Infinity,
      readAt: now.getTime(),
    };
    this.known.remember(name, found, generation);
    return found;
  }

  async #touch(known: KnownCaller, now: Date): Promise<void> {
    if (now.getTime() - known.lastUsedAt < LAST_USED_COARSE_MS) return;
    known.lastUsedAt = now.getTime();
    await this.pool.query(TOUCH_KEY, [known.caller.userId, known.caller.apiKeyId, now]);
  }
}
