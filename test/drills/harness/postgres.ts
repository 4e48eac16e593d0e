import { closeSync, openSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { ensureCluster } from '../../../src/database/embedded/cluster.js';
import { findInstallation } from '../../../src/database/embedded/installation.js';
import { copyPreparedCluster } from '../../prepared-cluster.js';
import { childrenOf, isAlive, signalIfAlive } from './processes.js';
import { until, within } from './waiting.js';

const PORT = 5432;
const USER = 'tidemark';
const START_MS = 60_000;
const CLOSE_MS = 5_000;

/** Drills lose their data anyway. */
const SETTINGS = ['listen_addresses=', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** A PostgreSQL server of the drill's own, which can be stopped, frozen and killed. */
export class DrillPostgres {
  readonly #clients: pg.Client[] = [];

  private constructor(
    private readonly folder: string,
    private readonly cluster: string,
    private readonly command: readonly [string, ...string[]],
    private readonly options: { uid?: number; gid?: number },
  ) {}

  /** @param maxConnections as in PostgreSQL's setting */
  static async start(folder: string, maxConnections: number): Promise<DrillPostgres> {
    await mkdir(folder, { mode: 0o700 });
    await copyPreparedCluster(folder);
    const installation = await findInstallation(folder, false);
    await ensureCluster(installation, AbortSignal.timeout(START_MS));
    const { binaries, cluster, runAs } = installation;
    const settings = [...SETTINGS, `max_connections=${maxConnections}`].flatMap((setting) => ['-c', setting]);
    const args = [binaries.postgres, '-D', cluster, '-k', folder, '-p', String(PORT), ...settings];
    const [program, ...rest] = [...runAs.prefix, ...args];
    const server = new DrillPostgres(folder, cluster, [program!, ...rest], runAs.options);
    await server.#start();
    await (await server.connect('postgres')).query('create database tidemark');
    return server;
  }

  get url(): string {
    return this.urlOf('tidemark');
  }

  urlOf(database: string): string {
    return `postgresql://${USER}@${encodeURIComponent(this.folder)}:${PORT}/${database}`;
  }

  /** A session of the drill's own. It is closed at the end. */
  async connect(database = 'tidemark'): Promise<pg.Client> {
    const client = new pg.Client(this.urlOf(database));
    client.on('error', () => undefined);
    await client.connect();
    this.#clients.push(client);
    return client;
  }

  /** The server's own process and those of its sessions. */
  get pids(): number[] {
    return [this.postmaster, ...childrenOf(this.postmaster)];
  }

  get postmaster(): number {
    return Number(readFileSync(join(this.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** Nothing answers any more, as behind a network that swallows every packet. */
  freeze(): void {
    // The one that starts others comes first.
    for (const pid of this.pids) signalIfAlive(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.pids) signalIfAlive(pid, 'SIGCONT');
  }

  /** SIGINT ends sessions and transactions, SIGQUIT and SIGKILL leave a recovery to the next start. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const pids = this.pids;
    process.kill(pids[0]!, signal);
    await until(() => !pids.some(isAlive), 'PostgreSQL has stopped', 20_000);
  }

  async startAgain(): Promise<void> {
    await this.#start();
  }

  async close(): Promise<void> {
    const ends = this.#clients.map((client) => client.end().catch(() => undefined));
    await within(Promise.all(ends), CLOSE_MS);
  }

  get log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8');
  }

  async #start(): Promise<void> {
    const log = openSync(join(this.folder, 'log'), 'a', 0o600);
    const [program, ...args] = this.command;
    const child = spawn(program, args, { ...this.options, cwd: '/', detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.unref();
    await until(() => this.#isReady(), 'PostgreSQL has started', START_MS);
  }

  #isReady(): Promise<boolean> {
    const client = new pg.Client(this.urlOf('postgres'));
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  }
}
