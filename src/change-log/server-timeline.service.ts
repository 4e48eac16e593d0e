import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type pg from 'pg';
import { Config } from '../config/config.js';
import type { DatabaseSettings } from '../config/database-settings.js';
import { DATABASE_ADDRESS, type DatabaseAddress } from '../database/address.js';
import { sqlStateOf } from '../database/as-startup-error.js';
import { DatabaseListener } from '../database/listener.js';
import { withPlainSession } from '../database/plain-session.js';
import type { SessionClient } from '../database/sessions/session-client.js';
import { advanceRevisions } from './advance-revisions.js';
import { CHANGES_CHANNEL } from './note-changes.js';

/**
 * Not that of the last checkpoint, since a server that was just promoted has made none yet. A standby has none to write.
 * Raw, because a session of its own has no builder.
 */
const TIMELINE = `
  select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
  where not pg_is_in_recovery()`;

/** A role without the right, a server without the function, and one that has the function and no such log. */
const NO_TIMELINE: readonly unknown[] = ['42501', '42883', '0A000'];

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/**
 * Notices that a standby has taken over from its server, or that the server was restored to a moment of the past: its
 * timeline is another one then. The last changes may be lost, and the next ones would get their revisions again, so
 * revisions go on far above them.
 */
@Injectable()
export class ServerTimelineService implements OnModuleInit, BeforeApplicationShutdown {
  readonly #log = new Logger('ChangeLog');
  #checked: Promise<void> = Promise.resolve();
  #checking = new AbortController();
  #retry: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    private readonly config: Config,
    listener: DatabaseListener,
  ) {
    // Where a fail-over is managed, it restarts no instance: their sessions are opened again.
    const onGap = () => {
      if (listener.isListening) void this.#check();
    };
    listener.subscribe(CHANGES_CHANNEL, { onMessage: () => undefined, onGap });
  }

  onModuleInit(): Promise<void> {
    return this.#check();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retry);
    this.#checking.abort();
    return this.#checked;
  }

  /** Ends the one before, which may wait for a server that is gone. The last one decides whether it is tried again. */
  #check(retryMs = FIRST_RETRY_MS): Promise<void> {
    this.#checking.abort();
    const { signal } = (this.#checking = new AbortController());
    return (this.#checked = this.#checked.then(() => this.#tryToCheck(retryMs, signal)));
  }

  /** Tries until it is known: the listener may have its session for long, and each change until then may be lost to clients. */
  async #tryToCheck(retryMs: number, signal: AbortSignal): Promise<void> {
    clearTimeout(this.#retry);
    if (this.#isClosing || signal.aborted) return;
    const { database } = this.config;
    try {
      const follow = (session: SessionClient) => followTimeline(session, database);
      if (await withPlainSession(this.address, database, follow, database.limits.request, signal))
        this.#log.warn('Database failover detected; cursors and entity tags are invalidated.');
    } catch (error) {
      if (signal.aborted) return;
      this.#log.warn(`Could not check for a database failover; retrying: ${String(error)}`);
      this.#retry = setTimeout(() => void this.#check(Math.min(2 * retryMs, MAX_RETRY_MS)), retryMs);
    }
  }
}

/** @returns whether the timeline has changed. Of several instances the one that locks the row first sees it. */
async function followTimeline(session: SessionClient, { limits }: DatabaseSettings): Promise<boolean> {
  const timeline = await readTimeline(session);
  if (timeline === null) return false;
  await session.query('begin');
  const { rows } = await session.query<{ timeline: number | null }>('select timeline from feed_epoch for update');
  const known = rows[0]!.timeline;
  if (known !== timeline) await session.query('update feed_epoch set timeline = $1', [timeline]);
  const hasChanged = known !== null && known !== timeline;
  if (hasChanged) {
    await session.limitTo(limits.background);
    await advanceRevisions(session);
  }
  await session.query('commit');
  return hasChanged;
}

/** `null`: the role may not read it, or the server has none. */
async function readTimeline(session: pg.ClientBase): Promise<number | null> {
  try {
    const { rows } = await session.query<{ timeline: number }>(TIMELINE);
    return rows[0]?.timeline ?? null;
  } catch (error) {
    if (NO_TIMELINE.includes(sqlStateOf(error))) return null;
    throw error;
  }
}
