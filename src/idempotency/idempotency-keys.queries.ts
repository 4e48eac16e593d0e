import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';

/** Who shares a limit of keys: an API key that is limited to accounts, or with `null` all others of the person. */
export interface KeyOwner {
  userId: string;
  owner: string | null;
}

/** The user of a key; `holder` differs for each request. */
export interface Use {
  userId: string;
  /** As stored: behind its owner, if it has one. */
  key: string;
  holder: string;
}

export interface KeyRow {
  fingerprint: string;
  holder: string;
  is_lease_over: boolean;
  has_committed: boolean;
  /** Sealed. */
  answer: string | null;
}

/** No aggregate owns the keys, so they have no entity. */
interface Tables {
  idempotency_keys: {
    user_id: string;
    key: string;
    fingerprint: string;
    holder: string;
    has_committed: boolean;
    answer: string | null;
    leased_until: Date;
    expires_at: Date;
  };
}

/** Renewed while the request runs, so that a key is taken over only when its process died. */
const LEASE_MS = 30_000;
const NOW = sql<Date>`now()`;
const LEASE_END = sql<Date>`now() + ${sql.lit(`${LEASE_MS} ms`)}::interval`;

/**
 * The rows of idempotency keys. Leases go by the database's clock, since those of two instances may differ, and each would
 * take a key from the other; raw, as the builder has no arithmetic of moments. Other times come from the application's.
 */
@Injectable()
export class IdempotencyKeysQueries {
  constructor(private readonly em: EntityManager) {}

  /** @returns whether the key was free, and its owner has room for one more. Raw, because it inserts on a condition. */
  async insert(
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

  async find({ userId, key }: Use): Promise<KeyRow | null> {
    const row = await this.#keys()
      .selectFrom('idempotency_keys')
      .select((eb) => ['fingerprint', 'holder', 'has_committed', 'answer', isLeaseOver(eb).as('is_lease_over')])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst();
    return (row as KeyRow | undefined) ?? null;
  }

  /**
   * Takes a key from a holder whose lease expired before it committed anything. A holder inside a transaction has
   * locked the row and keeps the key.
   *
   * @returns whether it was taken
   */
  async takeOver({ userId, key, holder }: Use, from: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#keys()
      .updateTable('idempotency_keys')
      .set({ holder, leased_until: LEASE_END })
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where((eb) =>
        eb.exists(
          unlocked(eb, { userId, key, holder: from })
            .where(isLeaseOver)
            .where('has_committed', '=', false)
            .where('answer', 'is', null),
        ),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Skips a locked row: a holder inside a transaction keeps the key without a lease. */
  async renew(use: Use): Promise<void> {
    await this.#keys()
      .updateTable('idempotency_keys')
      .set({ leased_until: LEASE_END })
      .where('user_id', '=', use.userId)
      .where('key', '=', use.key)
      .where((eb) => eb.exists(unlocked(eb, use)))
      .execute();
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

  /** @param userId `null`: of everybody */
  async deleteExpired(userId: string | null, now: Date): Promise<void> {
    const expired = this.#keys().deleteFrom('idempotency_keys').where('expires_at', '<=', now);
    await (userId === null ? expired : expired.where('user_id', '=', userId)).execute();
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

type KeyExpression = ExpressionBuilder<Tables, 'idempotency_keys'>;

function isHeldBy({ userId, key, holder }: Use) {
  return (eb: KeyExpression) => eb.and({ user_id: userId, key, holder });
}

function isLeaseOver(eb: KeyExpression) {
  return eb('leased_until', '<=', NOW);
}

/** The key of a holder, unless another transaction has locked its row. */
function unlocked(eb: KeyExpression, use: Use) {
  return eb.selectFrom('idempotency_keys').select('holder').where(isHeldBy(use)).forUpdate().skipLocked();
}
