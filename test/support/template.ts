import { PgBoss } from 'pg-boss';
import { readConfig } from '../../src/platform/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { MODULES } from '../../src/modules.js';
import { joinNodes } from './citus-nodes.js';
import { addressOf, CITUS_WORKERS, isOnCitus, onNodes, TEMPLATE, urlOf } from './database.js';
import { run } from './run-process.js';

/**
 * An empty database with all migrations, which every spec file gets a copy of. The tables of the job queue are in it, too:
 * to make them takes longer than all else of a start.
 */
export async function prepareTemplate(): Promise<void> {
  await onNodes(`drop database if exists ${TEMPLATE} with (force)`);
  await onNodes(`create database ${TEMPLATE}`);
  await migrate(addressOf(TEMPLATE), readConfig([], [], {}, {}).database, { modules: MODULES });
  const boss = new PgBoss({ connectionString: urlOf(addressOf(TEMPLATE)), supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

/** Distributes it where the server is a Citus, with the program that the run's setup has built. */
export async function distributeTemplate(): Promise<void> {
  if (!isOnCitus) return;
  const here = urlOf(addressOf(TEMPLATE));
  await joinNodes(
    here,
    CITUS_WORKERS.map((url) => new URL(`/${TEMPLATE}`, url).href),
  );
  const { code, stderr } = await run('cli', ['distribute'], { DATABASE_URL: here, APP_SECRET: 'that of the template' });
  if (code !== 0) throw new Error(stderr);
}
