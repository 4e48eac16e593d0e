import { randomUUID } from 'node:crypto';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../errors/domain-error.js';
import { Clock } from '../../time/clock.js';
import type { Connection } from '../connection.entity.js';
import { ClaimLock } from './claim-lock.entity.js';

type Tables = InferClassEntityDB<typeof ClaimLock | typeof Connection>;

/**
 * From the last change of the lock. A second click that comes after the claim gets the same refusal, and no other instance
 * spends the secret while the one that did has the credential and could not store it.
 */
export const CLAIM_LOCK_MS = 10 * 60_000;
/** By then a claim under way is over, and the next attempt may reach the instance that has the credential. */
const MAX_RETRY_AFTER_SECONDS = 20;

/** Names a pasted secret by its fingerprint. */
export type ClaimKey = Pick<ClaimLock, 'userId' | 'provider' | 'fingerprint'>;

/** A lock that this instance holds. */
export type HeldClaimLock = ClaimKey & Pick<ClaimLock, 'holder'>;

/** A lock that somebody else holds, with the name of the connection that was made. */
interface TakenLock {
  name: string | null;
  expires_at: Date;
}

/**
 * Locks pasted secrets, so that only one instance spends each. A lock is a row that expires, because no database
 * session may be held while a provider is asked.
 */
@Injectable()
export class ClaimLocksService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * @param connectionId of the connection that gets the credential; `null`: a new one
   * @throws DomainError `conflict` while another instance has the lock, and when the secret was connected a moment ago
   */
  async acquire(key: ClaimKey, connectionId: string | null): Promise<HeldClaimLock> {
    const now = this.clock.now();
    const lock = { ...key, holder: randomUUID() };
    await this.#removeOutdated(key.userId, now);
    const acquired = await this.em
      .getKysely<Tables>()
      .insertInto('claim_locks')
      .values({
        user_id: lock.userId,
        provider: lock.provider,
        fingerprint: lock.fingerprint,
        holder: lock.holder,
        connection_id: null,
        expires_at: new Date(now.getTime() + CLAIM_LOCK_MS),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'provider', 'fingerprint'])
          .doUpdateSet((eb) => ({
            holder: eb.ref('excluded.holder'),
            connection_id: null,
            expires_at: eb.ref('excluded.expires_at'),
          }))
          // The same connection again.
          .where('claim_locks.connection_id', '=', connectionId),
      )
      .returning('holder')
      .executeTakeFirst();
    if (!acquired) throw refused(await this.#find(key), now);
    return lock;
  }

  /** Locks that have expired, and those of connections that were removed since. */
  async #removeOutdated(userId: string, now: Date): Promise<void> {
    await this.em
      .getKysely<Tables>()
      .deleteFrom('claim_locks')
      .where('user_id', '=', userId)
      .where((eb) =>
        eb.or([
          eb('expires_at', '<=', now),
          eb.and([
            eb('connection_id', 'is not', null),
            eb('connection_id', 'not in', eb.selectFrom('connections').select('id').where('user_id', '=', userId)),
          ]),
        ]),
      )
      .execute();
  }

  /** Keeps the lock for a while after the secret was connected. */
  async markDone(lock: HeldClaimLock, connectionId: string): Promise<void> {
    const expiresAt = new Date(this.clock.now().getTime() + CLAIM_LOCK_MS);
    await this.em.nativeUpdate(ClaimLock, lock, { connectionId, expiresAt });
  }

  async release(lock: HeldClaimLock): Promise<void> {
    await this.em.nativeDelete(ClaimLock, lock);
  }

  async #find({ userId, provider, fingerprint }: ClaimKey): Promise<TakenLock | undefined> {
    return this.em
      .getKysely<Tables>()
      .selectFrom('claim_locks as lock')
      .leftJoin('connections as connection', (join) =>
        join.onRef('connection.user_id', '=', 'lock.user_id').onRef('connection.id', '=', 'lock.connection_id'),
      )
      .select(['connection.name', 'lock.expires_at'])
      .where('lock.user_id', '=', userId)
      .where('lock.provider', '=', provider)
      .where('lock.fingerprint', '=', fingerprint)
      .executeTakeFirst();
  }
}

/** @param lock `undefined`: it was released meanwhile */
function refused(lock: TakenLock | undefined, now: Date): DomainError {
  const name = lock?.name ?? null;
  if (name !== null) return new DomainError('conflict', `This credential is already connected as “${name}”.`);
  const waitMs = lock ? new Date(lock.expires_at).getTime() - now.getTime() : 0;
  return new DomainError('conflict', 'This credential is being connected at this moment.', {
    retryAfterSeconds: Math.min(Math.max(Math.ceil(waitMs / 1000), 1), MAX_RETRY_AFTER_SECONDS),
  });
}
