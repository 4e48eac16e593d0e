import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type QueryExecutorProvider, sql } from 'kysely';

/** The user of a key; `holder` differs for each request. */
export interface Use {
  userId: string;
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

/** The rows of idempotency keys. Times are parameters, because they come from the application's clock. */
@Injectable()
export class IdempotencyKeysQueries {
  constructor(private readonly em: EntityManager) {}

  /** @returns whether the key was free, and the person has room for one more */
  async insert(
    { userId, key, holder }: Use,
    row: { fingerprint: string; leasedUntil: Date; expiresAt: Date; maxKeys: number },
  ): Promise<boolean> {
    const { numAffectedRows } = await sql`
      insert into idempotency_keys (user_id, key, fingerprint, holder, leased_until, expires_at)
      select ${userId}, ${key}, ${row.fingerprint}, ${holder}, ${row.leasedUntil}::timestamptz,
        ${row.expiresAt}::timestamptz
      where (
        select count(*) from (select from idempotency_keys where user_id = ${userId} limit ${row.maxKeys}) stored
      ) < ${row.maxKeys}
      on conflict do nothing
    `.execute(this.em.getKysely());
    return numAffectedRows === 1n;
  }

  async find({ userId, key }: Use, now: Date): Promise<KeyRow | null> {
    const { rows } = await sql<KeyRow>`
      select fingerprint, holder, leased_until <= ${now} as is_lease_over, has_committed, answer from idempotency_keys
      where user_id = ${userId} and key = ${key}
    `.execute(this.em.getKysely());
    return rows[0] ?? null;
  }

  /**
   * Takes a key from a holder whose lease expired before it committed anything. A holder inside a transaction has
   * locked the row and keeps the key.
   *
   * @returns whether it was taken
   */
  async takeOver({ userId, key, holder }: Use, from: string, now: Date, leasedUntil: Date): Promise<boolean> {
    const { numAffectedRows } = await sql`
      update idempotency_keys set holder = ${holder}, leased_until = ${leasedUntil}
      where user_id = ${userId} and key = ${key} and exists (
        select from idempotency_keys
        where user_id = ${userId} and key = ${key} and holder = ${from} and leased_until <= ${now}
          and not has_committed and answer is null
        for update skip locked
      )
    `.execute(this.em.getKysely());
    return numAffectedRows === 1n;
  }

  /** Skips a locked row: a holder inside a transaction keeps the key without a lease. */
  async renew({ userId, key, holder }: Use, leasedUntil: Date): Promise<void> {
    await sql`
      update idempotency_keys set leased_until = ${leasedUntil}
      where user_id = ${userId} and key = ${key} and exists (
        select from idempotency_keys where user_id = ${userId} and key = ${key} and holder = ${holder}
        for update skip locked
      )
    `.execute(this.em.getKysely());
  }

  /**
   * Call it in a transaction of the request, which commits only while the key belongs to its holder.
   *
   * @returns whether it does
   */
  async markCommitted({ userId, key, holder }: Use, transaction: QueryExecutorProvider): Promise<boolean> {
    const { numAffectedRows } = await sql`
      update idempotency_keys set has_committed = true
      where user_id = ${userId} and key = ${key} and holder = ${holder}
    `.execute(transaction);
    return numAffectedRows === 1n;
  }

  /** @param answer sealed; `null`: it is not stored */
  async finish({ userId, key, holder }: Use, now: Date, answer: string | null): Promise<void> {
    await sql`
      update idempotency_keys set answer = ${answer}, has_committed = true, leased_until = ${now}
      where user_id = ${userId} and key = ${key} and holder = ${holder}
    `.execute(this.em.getKysely());
  }

  /** After a failure: frees the key unless something was committed. */
  async release({ userId, key, holder }: Use, now: Date): Promise<void> {
    await sql`
      with ended as (
        update idempotency_keys set leased_until = ${now}
        where user_id = ${userId} and key = ${key} and holder = ${holder} and has_committed
      )
      delete from idempotency_keys
      where user_id = ${userId} and key = ${key} and holder = ${holder} and not has_committed
    `.execute(this.em.getKysely());
  }

  /** @param userId `null`: of everybody */
  async deleteExpired(userId: string | null, now: Date): Promise<void> {
    const isTheirs = userId === null ? sql`true` : sql`user_id = ${userId}`;
    await sql`delete from idempotency_keys where ${isTheirs} and expires_at <= ${now}`.execute(this.em.getKysely());
  }

  /** When the oldest key of a person expires; `null`: there is none. */
  async firstExpiry(userId: string): Promise<Date | null> {
    const { rows } = await sql<{ expires_at: string | null }>`
      select min(expires_at) as expires_at from idempotency_keys where user_id = ${userId}
    `.execute(this.em.getKysely());
    const [first] = rows;
    return first?.expires_at ? new Date(first.expires_at) : null;
  }
}
