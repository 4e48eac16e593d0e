import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { DATABASE_LIMITS, databaseSettings } from '../../config/database-settings.js';
import { governPool } from './session-pool.js';

const WAIT_MS = 20;

/** Opens when the test says so. */
class LateSession extends EventEmitter {
  static readonly opened: LateSession[] = [];
  readonly _queryable = true;
  readonly connection = { stream: { destroy: () => undefined } };
  open!: () => void;

  connect(done: () => void): void {
    this.open = done;
    LateSession.opened.push(this);
  }

  limitTo(): Promise<void> {
    return Promise.resolve();
  }

  end(done?: () => void): void {
    this.emit('end');
    done?.();
  }
}

async function opening(number: number): Promise<LateSession> {
  while (!LateSession.opened[number]) await setImmediate();
  return LateSession.opened[number];
}

describe('governPool', () => {
  it('a session that opens after its caller timed out leaves the pool when its connection is lost', async () => {
    const Client = LateSession as unknown as new () => pg.ClientBase;
    const pool = new pg.Pool({
      Client,
      max: 1,
      connectionTimeoutMillis: WAIT_MS,
      idleTimeoutMillis: 0,
    });
    governPool(pool, databaseSettings(DATABASE_LIMITS.parse({})));
    const lost: Error[] = [];
    pool.on('error', (error) => lost.push(error));

    const held = pool.connect();
    (await opening(0)).open();
    const waiting = pool.connect();
    (await held).release(true);
    await expect(waiting).rejects.toThrow('timeout exceeded when trying to connect');
    const late = await opening(1);
    late.open();
    expect(pool.idleCount).toBe(1);

    // As pg does when the server goes away.
    late.emit('error', new Error('Connection terminated unexpectedly'));
    expect(lost).toHaveLength(1);
    expect(pool.totalCount).toBe(0);

    const next = pool.connect();
    (await opening(2)).open();
    (await next).release();
    await pool.end();
  });
});
