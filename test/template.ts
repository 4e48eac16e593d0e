import { PgBoss } from 'pg-boss';
import { readConfig } from '../src/config/config.js';
import { migrate } from '../src/database/migrate.js';
import { addressOf, onServer, TEMPLATE, urlOf } from './database.js';

/**
 * An empty database with all migrations, which every spec file gets a copy of. The tables of the job queue are in it, too:
 * to make them takes longer than all else of a start.
 */
export async function prepareTemplate(): Promise<void> {
  await onServer(`drop database if exists ${TEMPLATE}`);
  await onServer(`create database ${TEMPLATE}`);
  await migrate(addressOf(TEMPLATE), readConfig([], {}, {}).database);
  const boss = new PgBoss({ connectionString: urlOf(addressOf(TEMPLATE)), supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}
