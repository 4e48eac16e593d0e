import { closeSync, openSync, readFileSync } from 'node:fs';
import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ensureCluster } from '../../../src/database/embedded/cluster.js';
import { findInstallation, type Installation } from '../../../src/database/embedded/installation.js';
import { copyPreparedCluster } from '../../support/prepared-cluster.js';
import { childrenOf, isAlive, signalIfAlive } from './processes.js';
import { until, within } from './waiting.js';

const PORT = 5432;
const USER = 'tidemark';
const START_MS = 60_000;
const CLOSE_MS = 5_000;

const SETTINGS = [
  'listen_addresses=',
  // Drills lose their data anyway.
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  // What a standby has missed while it was down.
  'wal_keep_size=256MB',
];

/** A PostgreSQL server of the drill's own, which can be stopped, frozen and killed. */
export class DrillPostgres {
  readonly #clients: pg.Client[] = [];

  private constructor(
    private readonly folder: string,
    private readonly cluster: string,
    private readonly command: readonly [string, ...string[]],
    private readonly maxConnections: number,
    /** Also of its socket, which is in a folder of its own. */
    readonly port: number,
  ) {}

  /**
   * @param maxConnections as in PostgreSQL's setting
   * @param more settings, as in postgresql.conf
   */
  static async start(
    folder: string,
    maxConnections: number,
    more: readonly string[] = [],
    port = PORT,
  ): Promise<DrillPostgres> {
    await mkdir(folder, { mode: 0o700 });
    await copyPreparedCluster(folder);
    const installation = await findInstallation(folder, false);
    await ensureCluster(installation, AbortSignal.timeout(START_MS));
    const server = DrillPostgres.#in(installation, maxConnections, more, port);
    await server.#start();
    await (await server.connect('postgres')).query('create database tidemark');
    return server;
  }

  static #in(installation: Installation, maxConnections: number, more: readonly string[], port: number): DrillPostgres {
    const { dataDir, binaries, cluster, runAs } = installation;
    const settings = [...SETTINGS, `max_connections=${maxConnections}`, ...more].flatMap((setting) => ['-c', setting]);
    const args = [binaries.postgres, '-D', cluster, '-k', dataDir, '-p', String(port), ...settings];
    const [program, ...rest] = [...runAs.prefix, ...args];
    return new DrillPostgres(dataDir, cluster, [program!, ...rest], maxConnections, port);
  }

  /** Another server that follows this one, from a copy that is made while this one is stopped. */
  async startStandby(folder: string): Promise<DrillPostgres> {
    await mkdir(folder, { mode: 0o700 });
    const installation = await findInstallation(folder, false);
    const { cluster, runAs } = installation;
    await this.stop('SIGINT');
    // Unlike `cp` of Node.js, it keeps the owner and the mode that PostgreSQL insists on.
    await promisify(execFile)('cp', ['-a', this.cluster, cluster]);
    await this.startAgain();
    const signal = join(cluster, 'standby.signal');
    await writeFile(signal, '');
    await runAs.own(signal);
    const primary = `primary_conninfo=host=${this.folder} port=${this.port} user=${USER}`;
    const standby = DrillPostgres.#in(installation, this.maxConnections, [primary, 'hot_standby_feedback=on'], PORT);
    await standby.#start();
    return standby;
  }

  /** Waits until a standby has replayed all that was written here. */
  async followedBy(standby: DrillPostgres): Promise<void> {
    const here = await this.connect();
    const there = await standby.connect();
    const { rows } = await here.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn');
    // What was not flushed yet is not sent either.
    await here.query('select pg_switch_wal()');
    const replayed = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed';
    const hasReplayed = async () =>
      (await there.query<{ replayed: boolean }>(replayed, [rows[0]!.lsn])).rows[0]!.replayed;
    await until(hasReplayed, 'the standby has caught up', START_MS);
  }

  /** The standby receives what the primary writes, and shows none of it. */
  async pauseReplay(): Promise<void> {
    const client = await this.connect();
    await client.query('select pg_wal_replay_pause()');
    const isPaused = async () =>
      (await client.query(`select where pg_get_wal_replay_pause_state() = 'paused'`)).rowCount === 1;
    await until(isPaused, 'replay is paused', START_MS);
  }

  async resumeReplay(): Promise<void> {
    await (await this.connect()).query('select pg_wal_replay_resume()');
  }

  /** The standby becomes a server of its own. */
  async promote(): Promise<void> {
    await (await this.connect()).query('select pg_promote()');
  }

  get url(): string {
    return this.urlOf('tidemark');
  }

  urlOf(database: string): string {
    return `postgresql://${USER}@${encodeURIComponent(this.folder)}:${this.port}/${database}`;
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
    const child = spawn(program, args, { cwd: '/', detached: true, stdio: ['ignore', log, log] });
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
