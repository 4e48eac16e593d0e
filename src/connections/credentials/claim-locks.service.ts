import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { ApiError } from '../../http/errors/api-error.js';
import { Clock } from '../../time/clock.js';

/** Longer than a provider is waited for: an instance that died has no lock for longer. */
const HELD_MS = 60_000;
/** A second click that comes when all is done is told so, too. */
const DONE_MS = 10 * 60_000;

/** A pasted secret, told by its fingerprint. */
export interface ClaimKey {
  userId: string;
  provider: string;
  fingerprint: string;
}

/** The right of one instance to spend a secret. */
export interface ClaimLock {
  key: ClaimKey;
  holder: string;
}

/**
 * Locks a pasted secret for all instances while one of them spends it. The lock is a row that expires: no session with the
 * database is held while a provider is asked.
 */
@Injectable()
export class ClaimLocksService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * @param connectionId of the connection that gets the credential; `null`: a new one
   * @throws ApiError `conflict` while another instance has the lock, and when the secret was connected a moment ago
   */
  async acquire(key: ClaimKey, connectionId: string | null): Promise<ClaimLock> {
    const { userId, provider, fingerprint } = key;
    const holder = randomUUID();
    const now = this.clock.now();
    await this.#deleteExpired(userId, now);
    const { rows } = await sql`
      insert into claim_locks as held (user_id, provider, fingerprint, holder, expires_at)
      values (${userId}, ${provider}, ${fingerprint}, ${holder}, ${new Date(now.getTime() + HELD_MS)})
      on conflict (user_id, provider, fingerprint) do update
        set holder = excluded.holder, connection_id = null, expires_at = excluded.expires_at
        where held.connection_id = ${connectionId} or held.connection_id is not null and not exists (
          select from connections where user_id = held.user_id and id = held.connection_id
        )
      returning holder
    `.execute(this.em.getKysely());
    if (rows.length === 0) throw alreadyConnected(await this.#connectionName(key));
    return { key, holder };
  }

  /** Remembers for a while what came of it. */
  async markDone({ key, holder }: ClaimLock, connectionId: string): Promise<void> {
    const expiresAt = new Date(this.clock.now().getTime() + DONE_MS);
    await sql`
      update claim_locks set connection_id = ${connectionId}, expires_at = ${expiresAt}
      where user_id = ${key.userId} and provider = ${key.provider} and fingerprint = ${key.fingerprint}
        and holder = ${holder}
    `.execute(this.em.getKysely());
  }

  async release({ key, holder }: ClaimLock): Promise<void> {
    await sql`
      delete from claim_locks
      where user_id = ${key.userId} and provider = ${key.provider} and fingerprint = ${key.fingerprint}
        and holder = ${holder}
    `.execute(this.em.getKysely());
  }

  async #deleteExpired(userId: string, now: Date): Promise<void> {
    await sql`delete from claim_locks where user_id = ${userId} and expires_at <= ${now}`.execute(this.em.getKysely());
  }

  /** `null`: it is still being connected. */
  async #connectionName({ userId, provider, fingerprint }: ClaimKey): Promise<string | null> {
    const { rows } = await sql<{ name: string }>`
      select connection.name from claim_locks held
      join connections connection on connection.user_id = held.user_id and connection.id = held.connection_id
      where held.user_id = ${userId} and held.provider = ${provider} and held.fingerprint = ${fingerprint}
    `.execute(this.em.getKysely());
    return rows[0]?.name ?? null;
  }
}

function alreadyConnected(name: string | null): ApiError {
  const what = name === null ? 'is being connected at this moment' : `is already connected as “${name}”`;
  return new ApiError('conflict', `This credential ${what}.`);
}
