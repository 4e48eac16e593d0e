import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseAddress } from '../../src/database/address.js';

export const TEMPLATE = 'tidemark_template';

export interface TestDatabase {
  address: DatabaseAddress;
  /** The same as a URL, for a process of its own. */
  url: string;
  drop: () => Promise<void>;
}

/** A fresh copy of the migrated template. Copying its files costs a third of writing its pages to the log. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  if (isOnCitus) await onNodes(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE}'`);
  await onNodes(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  return {
    address: addressOf(name),
    url: urlOf(addressOf(name)),
    drop: () => onNodes(`drop database ${name} with (force)`),
  };
}

/** Without a single table. @param locale of its own, as `create database` takes it */
export async function createEmptyDatabase(locale = ''): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name} template template0 ${locale}`);
  return {
    address: addressOf(name),
    url: urlOf(addressOf(name)),
    drop: () => onServer(`drop database ${name} with (force)`),
  };
}

/** Another database of the run's server. */
export function addressOf(name: string): DatabaseAddress {
  const server = JSON.parse(process.env.TIDEMARK_TEST_SERVER ?? '{}') as DatabaseAddress;
  if (!('clientUrl' in server)) return { ...server, dbName: name };
  const url = new URL(server.clientUrl);
  url.pathname = `/${name}`;
  return { clientUrl: url.href };
}

/** The servers of TEST_DATABASE_WORKERS: beside them, the run's server is a coordinator of Citus. */
export const CITUS_WORKERS = (process.env['TEST_DATABASE_WORKERS'] ?? '').split(',').filter(Boolean);
export const isOnCitus = CITUS_WORKERS.length > 0;

/** What sessions do: on Citus, those of all nodes. */
export const ACTIVITY = isOnCitus ? 'citus_stat_activity' : 'pg_stat_activity';

/** On the run's server, and on those that Citus has beside it. */
export async function onNodes(statement: string): Promise<void> {
  for (const url of [urlOf(addressOf('postgres')), ...CITUS_WORKERS]) await onServer(statement, url);
}

export async function onServer(statement: string, url = urlOf(addressOf('postgres'))): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export function urlOf(address: DatabaseAddress): string {
  if ('clientUrl' in address) return address.clientUrl;
  return `postgresql://${address.user}@${encodeURIComponent(address.host)}:${address.port}/${address.dbName}`;
}
