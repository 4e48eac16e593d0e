import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PlainPool } from '../database/plain-pool.js';
import { Clock } from '../platform/time/clock.js';

/** Enough for a person who tries all their passwords. */
const MAX_ATTEMPTS = 10;
const WINDOW_MS = 15 * 60_000;

// Times are milliseconds since the epoch, by the clock of the application. Raw, because prepared statements are text.

/** Counts an attempt. $1 key, $2 now, $3 when a window that begins now ends. */
const COUNT = {
  name: 'count-password-attempt',
  text: `
    insert into password_attempts as stored (key, points, expire) values ($1, 1, $3)
    on conflict (key) do update set
      points = case when stored.expire <= $2 then 1 else stored.points + 1 end,
      expire = case when stored.expire <= $2 then excluded.expire else stored.expire end
    returning points, expire::float8 as expire`,
};

/** $1 before which time their windows ended. */
const CLEAR_EXPIRED = {
  name: 'clear-expired-password-attempts',
  text: `delete from password_attempts where expire <= $1`,
};

/** $1 key, $2 when its window ends. One that began meanwhile ends later and keeps its count. */
const GIVE_BACK = {
  name: 'give-back-password-attempt',
  text: `update password_attempts set points = points - 1 where key = $1 and points > 0 and expire = $2`,
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
  constructor(
    private readonly pool: PlainPool,
    private readonly clock: Clock,
  ) {}

  /** @param isRight checks the password; not to be called in a transaction, since counting takes a database session */
  async check(attempt: Attempt, isRight: () => Promise<boolean>): Promise<PasswordCheck> {
    const key = keyOf(attempt);
    const now = this.clock.now().getTime();
    const [row] = await this.pool.query<{ points: number; expire: number }>(COUNT, [key, now, now + WINDOW_MS]);
    const { points, expire } = row!;
    const giveBack = () => this.pool.query(GIVE_BACK, [key, expire]);
    if (points > MAX_ATTEMPTS) {
      // The password was not checked. Counting it could lock out a person whose other attempts are right.
      await giveBack();
      return { waitSeconds: Math.max(Math.ceil((expire - now) / 1000), 1) };
    }
    if (points === 1) await this.pool.query(CLEAR_EXPIRED, [now]);
    let isGivenBack = true;
    try {
      isGivenBack = await isRight();
    } finally {
      // Also when checking the password failed.
      if (isGivenBack) await giveBack();
    }
    return isGivenBack ? 'right' : 'wrong';
  }
}

/** Hashed: e-mail addresses have any length, and this table need not reveal them. */
function keyOf({ email, client }: Attempt): string {
  return hash('sha256', JSON.stringify([email, client]), 'base64url');
}
