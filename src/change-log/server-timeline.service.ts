import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type pg from 'pg';
import { Config } from '../config/config.js';
import { DATABASE_ADDRESS, type DatabaseAddress } from '../database/address.js';
import { DatabaseListener } from '../database/listener.js';
import { withPlainSession } from '../database/plain-session.js';
import { advanceRevisions } from './advance-revisions.js';
import { CHANGES_CHANNEL } from './note-changes.js';

/** Not that of the last checkpoint, since a server that was just promoted has made none yet. A standby has none to write. */
const TIMELINE = `
  select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
  where not pg_is_in_recovery()`;

/**
 * Notices that a standby has taken over from its server, or that the server was restored to a moment of the past: its
 * timeline is another one then. The last changes may be lost, and the next ones would get their revisions again, so
 * revisions go on far above them.
 */
@Injectable()
export class ServerTimelineService implements OnModuleInit, BeforeApplicationShutdown {
  readonly #log = new Logger('ChangeLog');
  #checked: Promise<void> = Promise.resolve();

  constructor(
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    private readonly config: Config,
    listener: DatabaseListener,
  ) {
    // Where a fail-over is managed, it restarts no instance: their sessions are opened again.
    const onGap = () => {
      if (listener.isListening) this.#checked = this.#check();
    };
    listener.subscribe(CHANGES_CHANNEL, { onMessage: () => undefined, onGap });
  }

  onModuleInit(): Promise<void> {
    return this.#check();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#checked;
  }

  /** An error is only logged: the listener is about to connect, or to lose its session, too. */
  async #check(): Promise<void> {
    try {
      if (await withPlainSession(this.address, this.config.database, followTimeline))
        this.#log.warn('Another server has taken over the database: clients are told to read everything again.');
    } catch (error) {
      this.#log.warn(`Whether another server has taken over the database is not known: ${String(error)}`);
    }
  }
}

/** @returns whether the timeline has changed. Of several instances the one that locks the row first sees it. */
async function followTimeline(session: pg.ClientBase): Promise<boolean> {
  const timeline = await readTimeline(session);
  if (timeline === null) return false;
  await session.query('begin');
  const { rows } = await session.query<{ timeline: number | null }>('select timeline from feed_epoch for update');
  const known = rows[0]!.timeline;
  if (known !== timeline) await session.query('update feed_epoch set timeline = $1', [timeline]);
  const hasChanged = known !== null && known !== timeline;
  if (hasChanged) await advanceRevisions(session);
  await session.query('commit');
  return hasChanged;
}

/** `null`: the role may not read it, or the server has none. */
async function readTimeline(session: pg.ClientBase): Promise<number | null> {
  const { rows } = await session.query<{ timeline: number }>(TIMELINE).catch(() => ({ rows: [] }));
  return rows[0]?.timeline ?? null;
}
