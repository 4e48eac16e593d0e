import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { PreparedStatements, type PreparedStatement } from '../database/prepared.js';

const TABLE = 'password_attempts';

/** Enough for a person who tries all their passwords. */
const MAX_ATTEMPTS = 10;
const WINDOW_SECONDS = 15 * 60;

const CLEAR_EXPIRED = {
  name: 'clear-expired-password-attempts',
  text: `delete from ${TABLE} where expire < extract(epoch from now() - interval '1 hour') * 1000`,
};

/** $1 key, $2 milliseconds until its window ends. A window that began meanwhile ends much later and keeps its count. */
const GIVE_BACK = {
  name: 'give-back-password-attempt',
  text: `
    update ${TABLE} set points = points - 1
    where key = $1 and points > 0
      and abs(expire - extract(epoch from clock_timestamp()) * 1000 - $2::float8) < ${(WINDOW_SECONDS * 1000) / 2}`,
};

export type PasswordCheck = 'right' | 'wrong' | { waitSeconds: number };

/** The subject of an attempt. */
interface Attempt {
  email: string;
  /** Address or network of the client: a limit on the e-mail address alone would let anybody lock its owner out. */
  client: string;
}

/**
 * Limits how often a password is tried, by e-mail address and client together. One atomic statement counts an attempt
 * before the password is checked, so that parallel guesses gain nothing; a right password gives its own attempt back, and
 * so does a refusal. While the count cannot be written, no password is checked.
 */
@Injectable()
export class PasswordAttemptsService {
  readonly #limiter: RateLimiterPostgres;

  constructor(private readonly prepared: PreparedStatements) {
    this.#limiter = new RateLimiterPostgres({
      storeClient: { query: (statement: StoreStatement) => this.#query(statement) },
      storeType: 'client',
      tableName: TABLE,
      tableCreated: true,
      // The library's timer would outlive the application.
      clearExpiredByTimeout: false,
      keyPrefix: '',
      points: MAX_ATTEMPTS,
      duration: WINDOW_SECONDS,
    });
  }

  /** @param isRight checks the password; not to be called in a transaction, since counting takes a database session */
  async check(attempt: Attempt, isRight: () => Promise<boolean>): Promise<PasswordCheck> {
    const key = keyOf(attempt);
    const { isAllowed, count } = await this.#count(key);
    const windowEndsAt = performance.now() + count.msBeforeNext;
    if (!isAllowed) {
      // The password was not checked. Counting it could lock out a person whose other attempts are right.
      await this.#giveBack(key, windowEndsAt);
      return { waitSeconds: Math.max(Math.ceil(count.msBeforeNext / 1000), 1) };
    }
    let isGivenBack = true;
    try {
      isGivenBack = await isRight();
    } finally {
      // Also when checking the password failed.
      if (isGivenBack) await this.#giveBack(key, windowEndsAt);
    }
    return isGivenBack ? 'right' : 'wrong';
  }

  async #count(key: string): Promise<{ isAllowed: boolean; count: RateLimiterRes }> {
    try {
      const count = await this.#limiter.consume(key);
      if (count.isFirstInDuration) await this.prepared.query(CLEAR_EXPIRED, []);
      return { isAllowed: true, count };
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return { isAllowed: false, count: refusal };
      throw refusal;
    }
  }

  /** @param windowEndsAt by `performance.now()` */
  async #giveBack(key: string, windowEndsAt: number): Promise<void> {
    await this.prepared.query(GIVE_BACK, [key, windowEndsAt - performance.now()]);
  }

  async #query({ values, ...statement }: StoreStatement): Promise<{ rows: object[]; rowCount: number }> {
    const rows = await this.prepared.query(statement, values);
    return { rows, rowCount: rows.length };
  }
}

/** The record that the library passes to its store. */
interface StoreStatement extends PreparedStatement {
  values: readonly unknown[];
}

/** Hashed: e-mail addresses have any length, and this table need not reveal them. */
function keyOf({ email, client }: Attempt): string {
  return createHash('sha256')
    .update(JSON.stringify([email, client]))
    .digest('base64url');
}
