import { readConfig } from '../src/config/config.js';
import { migrate } from '../src/database/migrate.js';
import { addressOf, onServer, TEMPLATE } from './database.js';

/** An empty database with all migrations, which every spec file gets a copy of. */
export async function prepareTemplate(): Promise<void> {
  await onServer(`drop database if exists ${TEMPLATE}`);
  await onServer(`create database ${TEMPLATE}`);
  await migrate(addressOf(TEMPLATE), readConfig([], {}, {}).database);
}
