import pg from 'pg';
import { type DebianPostgres, startDebianPostgres } from './debian-postgres.js';

/** One row of tests needs no more, and each makes dozens of tables. */
const SHARDS = 8;
const WORKERS = 2;
const CONNECTIONS = 300;

const SETTINGS = [
  'shared_preload_libraries=citus',
  `citus.shard_count=${SHARDS}`,
  `max_connections=${CONNECTIONS}`,
  `max_prepared_transactions=${2 * CONNECTIONS}`,
  // Of the workers of Citus itself, for each database of a run of tests.
  'max_worker_processes=200',
  'max_locks_per_transaction=1024',
  'synchronous_commit=off',
  'full_page_writes=off',
];

/** A coordinator and its workers: servers of their own, which the extension joins for one database after the other. */
export interface CitusNodes {
  coordinator: DebianPostgres;
  workers: DebianPostgres[];
  stop: () => Promise<void>;
}

export async function startCitusNodes(): Promise<CitusNodes> {
  const servers: DebianPostgres[] = [];
  const stop = async () => {
    for (const server of servers) await server.stop();
  };
  try {
    for (let node = 0; node <= WORKERS; node++) servers.push(await startDebianPostgres(SETTINGS));
  } catch (error) {
    await stop();
    throw error;
  }
  const [coordinator, ...workers] = servers;
  return { coordinator: coordinator!, workers, stop };
}

/** An empty database of the same name on each. */
export async function createOnNodes({ coordinator, workers }: CitusNodes, name: string): Promise<void> {
  for (const node of [coordinator, ...workers]) {
    await inSession(node.urlOf('postgres'), (session) => session.query(`create database ${name}`));
  }
}

/** Makes one database of several: as its operator does it, before `cli distribute`. */
export async function joinNodes(coordinator: string, workers: readonly string[]): Promise<void> {
  for (const url of workers) await inSession(url, (session) => session.query('create extension citus'));
  await inSession(coordinator, async (session) => {
    await session.query('create extension citus');
    await session.query('select citus_set_coordinator_host($1, $2)', hostOf(coordinator));
    for (const url of workers) await session.query('select citus_add_node($1, $2)', hostOf(url));
  });
}

export async function inSession<T>(url: string, work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client(url);
  session.on('error', () => undefined);
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

/** It may be the folder of a socket. */
function hostOf(url: string): [host: string, port: number] {
  const { hostname, port } = new URL(url);
  return [decodeURIComponent(hostname), Number(port)];
}
