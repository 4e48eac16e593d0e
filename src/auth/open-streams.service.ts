import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseListener } from '../database/listener.js';
import { PlainPool } from '../database/plain-pool.js';
import { OpenStreams, type StreamOwner } from '../http/streams/open-streams.js';
import { Clock } from '../platform/time/clock.js';
import { CALLERS_CHANNEL } from './caller-cache.js';
import { SESSIONS_CHANNEL } from './sessions.service.js';

/** How often all credentials are checked, in case a notification was missed. */
const CHECK_INTERVAL_MS = 5_000;
/** The least time between two checks: timers may fire a little early. */
const MIN_CHECK_INTERVAL_MS = 50;

interface OpenStream extends StreamOwner {
  end: () => void;
  /** `null`: never, or not known yet. */
  expiresAt: Date | null;
}

interface ValidCredential {
  id: string;
  expires_at: Date | null;
}

// Raw, because prepared statements are text.
const VALID_CREDENTIALS = {
  name: 'valid-credentials',
  text: `
    select encode(key_hash, 'hex') as id, expires_at from api_keys
    where user_id = any($1::uuid[]) and revoked_at is null and (expires_at is null or expires_at > $2)
    union all
    select encode(previous_key_hash, 'hex'), least(expires_at, previous_valid_until) from api_keys
    where user_id = any($1::uuid[]) and revoked_at is null and previous_valid_until > $2
      and (expires_at is null or expires_at > $2)
    union all
    select encode(token_hash, 'hex'), expires_at from sessions
    where user_id = any($1::uuid[]) and expires_at > $2`,
};

/**
 * Ends event streams and downloads when their credential ends on any instance: the key is revoked, rotated or expires,
 * the session ends, the user is deleted. A notification about a person's keys or sessions triggers a check; one query
 * checks all affected people.
 */
@Injectable()
export class OpenStreamsService extends OpenStreams implements OnApplicationShutdown {
  readonly #log = new Logger('Streams');
  readonly #streams = new Set<OpenStream>();
  readonly #unchecked = new Set<string>();
  #isChecking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: PlainPool,
    private readonly clock: Clock,
    listener: DatabaseListener,
  ) {
    super();
    const subscriber = { onMessage: (userId: string) => this.#check([userId]), onGap: () => this.#checkAll() };
    for (const channel of [CALLERS_CHANNEL, SESSIONS_CHANNEL]) listener.subscribe(channel, subscriber);
  }

  /** Also checks at once: the credential may have ended since the guard accepted it. */
  register({ userId, secretId }: StreamOwner, end: () => void): () => void {
    const stream = { userId, secretId, end, expiresAt: null };
    this.#streams.add(stream);
    this.#check([userId]);
    return () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) clearTimeout(this.#timer);
    };
  }

  onApplicationShutdown(): void {
    this.#streams.clear();
    clearTimeout(this.#timer);
  }

  #checkAll(): void {
    this.#check([...this.#streams].map(({ userId }) => userId));
  }

  /** Checks requested while a query runs share the next query. */
  #check(userIds: readonly string[]): void {
    for (const userId of userIds) this.#unchecked.add(userId);
    if (!this.#isChecking) void this.#checkWhileAsked();
  }

  async #checkWhileAsked(): Promise<void> {
    this.#isChecking = true;
    while (this.#unchecked.size > 0) {
      const streams = [...this.#streams].filter(({ userId }) => this.#unchecked.has(userId));
      this.#unchecked.clear();
      if (streams.length > 0) await this.#endInvalid(streams);
    }
    this.#isChecking = false;
    this.#checkAllLater();
  }

  async #endInvalid(streams: readonly OpenStream[]): Promise<void> {
    const now = this.clock.now();
    const valid = await this.#readValid(new Set(streams.map(({ userId }) => userId)), now);
    for (const stream of streams) {
      const expiresAt = valid ? valid.get(stream.secretId) : stream.expiresAt;
      if (expiresAt === undefined || (expiresAt && expiresAt <= now)) this.#end(stream);
      else stream.expiresAt = expiresAt;
    }
  }

  /** When each valid credential expires. `null`: the database does not answer; known expiry times still apply. */
  async #readValid(userIds: ReadonlySet<string>, now: Date): Promise<Map<string, Date | null> | null> {
    try {
      const rows = await this.pool.query<ValidCredential>(VALID_CREDENTIALS, [[...userIds], now]);
      return new Map(rows.map(({ id, expires_at }) => [id, expires_at && new Date(expires_at)]));
    } catch (error) {
      this.#log.warn(`The credentials of open streams cannot be checked: ${(error as Error).message}`);
      return null;
    }
  }

  #end(stream: OpenStream): void {
    if (!this.#streams.delete(stream)) return;
    try {
      stream.end();
    } catch (error) {
      // The other streams must end all the same.
      this.#log.error(`A stream could not be ended: ${String(error)}`, (error as Error).stack);
    }
  }

  /** Schedules the next check: after the interval, or when the next credential expires. */
  #checkAllLater(): void {
    clearTimeout(this.#timer);
    if (this.#streams.size === 0) return;
    const now = this.clock.now().getTime();
    let delayMs = CHECK_INTERVAL_MS;
    for (const { expiresAt } of this.#streams) {
      if (expiresAt) delayMs = Math.min(delayMs, Math.max(expiresAt.getTime() - now, MIN_CHECK_INTERVAL_MS));
    }
    this.#timer = setTimeout(() => this.#checkAll(), delayMs).unref();
  }
}
