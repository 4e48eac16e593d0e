import { EntityRepository, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { IdempotencyKey } from './idempotency-key.entity.js';

/** Who shares a limit of keys: an API key that is limited to accounts, or with `null` all others of the person. */
export interface KeyOwner {
  userId: string;
  owner: string | null;
}

export interface KeyName {
  userId: string;
  /** As stored. */
  key: string;
}

/** The user of a key; `holder` differs for each request. */
export type Use = KeyName & { holder: string };

type Tables = InferClassEntityDB<typeof IdempotencyKey>;
type KeyExpression = ExpressionBuilder<Tables, 'idempotency_keys'>;

/**
 * Longer than a request takes: a bank is given 20 s to connect, and its credential 8 s to be stored. A key is taken over
 * only when its process died.
 */
const LEASE_MS = 60_000;
const NOW = sql<Date>`now()`;
const LEASE_END = sql<Date>`now() + ${sql.lit(`${LEASE_MS} ms`)}::interval`;

/**
 * Leases go by the database's clock, since those of two instances may differ, and each would take a key from the other;
 * raw, as the builder has no arithmetic of moments. Other times come from the application's.
 */
export class IdempotencyKeysRepository extends EntityRepository<IdempotencyKey> {
  /** @returns whether the key was free, and its owner has room for one more. Raw, because it inserts on a condition. */
  async claim(
    { userId, key, holder, owner }: Use & KeyOwner,
    row: { fingerprint: string; expiresAt: Date; maxKeys: number },
  ): Promise<boolean> {
    // The rows that it returns are counted: Citus counts those of a conflict among the inserted.
    const { rows } = await sql`
      insert into idempotency_keys (user_id, key, fingerprint, holder, leased_until, expires_at)
      select ${userId}, ${key}, ${row.fingerprint}, ${holder}, ${LEASE_END}, ${row.expiresAt}::timestamptz
      where (
        select count(*) from (
          select 1 from idempotency_keys where user_id = ${userId} and ${isOf(owner)} limit ${row.maxKeys}
        ) stored
      ) < ${row.maxKeys}
      on conflict do nothing
      returning holder
    `.execute(this.em.getKysely());
    return rows.length === 1;
  }

  /** @returns `null`: there is none */
  async findUse({ userId, key }: KeyName) {
    const row = await this.#keys()
      .selectFrom('idempotency_keys')
      .select((eb) => ['fingerprint', 'holder', 'has_committed', 'answer', isLeaseOver(eb).as('is_lease_over')])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Takes a key from a holder whose lease expired before it committed anything.
   *
   * @returns whether it was taken
   */
  async takeOver({ userId, key, holder }: Use, from: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#keys()
      .updateTable('idempotency_keys')
      .set({ holder, leased_until: LEASE_END })
      .where(isHeldBy({ userId, key, holder: from }))
      .where(isLeaseOver)
      .where('has_committed', '=', false)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /**
   * Call it in a transaction of the request, which commits only while the key belongs to its holder.
   *
   * @returns whether it does
   */
  async markCommitted(use: Use, transaction: Kysely<unknown>): Promise<boolean> {
    const { numUpdatedRows } = await (transaction as Kysely<Tables>)
      .updateTable('idempotency_keys')
      .set({ has_committed: true })
      .where(isHeldBy(use))
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** @param answer sealed; `null`: it is not stored */
  async finish(use: Use, answer: string | null): Promise<void> {
    await this.#keys()
      .updateTable('idempotency_keys')
      .set({ answer, has_committed: true, leased_until: NOW })
      .where(isHeldBy(use))
      .execute();
  }

  /** After a failure: frees the key unless something was committed. */
  async release(use: Use): Promise<void> {
    await this.#keys()
      .with('ended', (db) =>
        db
          .updateTable('idempotency_keys')
          .set({ leased_until: NOW })
          .where(isHeldBy(use))
          .where('has_committed', '=', true),
      )
      .deleteFrom('idempotency_keys')
      .where(isHeldBy(use))
      .where('has_committed', '=', false)
      .execute();
  }

  /** @returns how many there were; by default those that have expired by the database's clock */
  async deleteExpired(userId: string, now: Date | typeof NOW = NOW): Promise<number> {
    const expired = this.#keys().deleteFrom('idempotency_keys').where('expires_at', '<=', now);
    return Number((await expired.where('user_id', '=', userId).executeTakeFirstOrThrow()).numDeletedRows);
  }

  /** An answer to show once; `null`: it was shown already, or there is none. */
  async takeAnswer({ userId, key }: KeyName, now: Date): Promise<string | null> {
    const found = await this.#keys()
      .with('taken', (keys) =>
        keys
          .selectFrom('idempotency_keys')
          .select(['user_id', 'key', 'answer'])
          .where('user_id', '=', userId)
          .where('key', '=', key)
          .where('answer', 'is not', null)
          .where('expires_at', '>', now)
          .forUpdate(),
      )
      .updateTable('idempotency_keys as shown')
      .from('taken')
      .set({ answer: null })
      .whereRef('shown.user_id', '=', 'taken.user_id')
      .whereRef('shown.key', '=', 'taken.key')
      .returning('taken.answer as answer')
      .executeTakeFirst();
    return found?.answer ?? null;
  }

  /** When an owner of so many keys has room for one more; `null`: there is room. */
  async roomFrom({ userId, owner }: KeyOwner, maxKeys: number): Promise<Date | null> {
    const first = await this.#keys()
      .selectFrom('idempotency_keys')
      .select('expires_at')
      .where('user_id', '=', userId)
      .where(isOf(owner))
      .orderBy('expires_at', 'desc')
      .offset(maxKeys - 1)
      .limit(1)
      .executeTakeFirst();
    // The driver gives instants as text.
    return first ? new Date(first.expires_at) : null;
  }

  #keys(): Kysely<Tables> {
    return this.em.getKysely<Tables>();
  }
}

/** A key itself has no blank. */
function isOf(owner: string | null) {
  return owner === null ? sql<boolean>`key not like '% %'` : sql<boolean>`key like ${`${owner} %`}`;
}

function isHeldBy({ userId, key, holder }: Use) {
  return (eb: KeyExpression) => eb.and({ user_id: userId, key, holder });
}

function isLeaseOver(eb: KeyExpression) {
  return eb('leased_until', '<=', NOW);
}
