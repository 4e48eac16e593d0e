import { PgBoss } from 'pg-boss';
import { readConfig } from '../../src/platform/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { distribute } from '../../src/modules/scale/distribute.js';
import { inSession, joinNodes } from './citus-nodes.js';
import { addressOf, CITUS_WORKERS, isOnCitus, onNodes, TEMPLATE, urlOf } from './database.js';

/**
 * An empty database with all migrations, which every spec file gets a copy of. The tables of the job queue are in it, too:
 * to make them takes longer than all else of a start.
 */
export async function prepareTemplate(): Promise<void> {
  await onNodes(`drop database if exists ${TEMPLATE} with (force)`);
  await onNodes(`create database ${TEMPLATE}`);
  await migrate(addressOf(TEMPLATE), readConfig([], [], {}, {}).database);
  const boss = new PgBoss({ connectionString: urlOf(addressOf(TEMPLATE)), supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
  if (isOnCitus) await distributeTemplate();
}

async function distributeTemplate(): Promise<void> {
  const here = urlOf(addressOf(TEMPLATE));
  await joinNodes(
    here,
    CITUS_WORKERS.map((url) => new URL(`/${TEMPLATE}`, url).href),
  );
  await inSession(here, async (session) => {
    await session.query('begin');
    await distribute(session);
    await session.query('commit');
  });
}
