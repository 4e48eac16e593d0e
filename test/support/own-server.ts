import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../src/platform/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { MODULES } from '../../src/modules.js';
import { startThrowawayPostgres, type ThrowawayPostgres } from './throwaway-postgres.js';

/** A server of the test's own: it is frozen, filled up and started again. */
export class OwnServer {
  readonly #clients: pg.Client[] = [];

  private constructor(readonly server: ThrowawayPostgres) {}

  static async start(): Promise<OwnServer> {
    const own = new OwnServer(await startThrowawayPostgres('limits'));
    await migrate(own.address, readConfig([], [], {}, {}).database, { modules: MODULES });
    return own;
  }

  get address() {
    const { host, port, user, dbName } = this.server;
    return { host, port, user, dbName };
  }

  /** As an outside database, for `startTestApp`. */
  get database() {
    const { host, port, user, dbName } = this.server;
    const url = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${dbName}`;
    return { address: this.address, url, drop: () => Promise.resolve() };
  }

  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.database.url);
    client.on('error', () => undefined);
    await client.connect();
    this.#clients.push(client);
    return client;
  }

  /** Like a network that swallows everything: connections stay open and nothing answers. @returns the way back */
  async freeze(): Promise<() => void> {
    const client = await this.connect();
    const postmaster = Number(
      (await readFile(join(this.server.folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
    );
    // From now on there are no new processes.
    process.kill(postmaster, 'SIGSTOP');
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
    const pids = [postmaster, ...rows.map(({ pid }) => pid)];
    const signal = (name: NodeJS.Signals) => {
      for (const pid of pids) {
        try {
          process.kill(pid, name);
        } catch {
          // It has ended by now.
        }
      }
    };
    signal('SIGSTOP');
    return () => signal('SIGCONT');
  }

  /** Opens sessions until the server takes no more. */
  async fillUp(): Promise<void> {
    for (;;) {
      try {
        await this.connect();
      } catch (error) {
        if ((error as { code?: string }).code === '53300') return;
        throw error;
      }
    }
  }

  async disconnect(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.end()));
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await this.server.stop();
  }
}
