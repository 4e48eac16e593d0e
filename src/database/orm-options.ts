import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import {
  type Configuration,
  type Connection,
  defineConfig,
  type EntityClass,
  type Options,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { MigrationClass } from '../extension/extension.js';
import type { DatabaseAddress } from './address.js';
import { MIGRATIONS } from './migrations/migrations.js';
import type { DatabaseSettings } from '../config/database-settings.js';
import { poolSizes } from '../config/pool-sizes.js';
import { DatabasePools, governPool, sessionConfig } from './sessions/session-pool.js';
import { markTransactions } from './sessions/held-session.js';

/** MikroORM's driver, with transactions that refuse a second session, and closed for good. */
class GuardedDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config);
    markTransactions(this.connection);
    refuseReopening(this.connection);
  }
}

/** MikroORM would open a new pool for work that outlives the application, and nobody would close it. */
function refuseReopening(connection: Connection): void {
  const close = connection.close.bind(connection);
  connection.close = async (force) => {
    await close(force);
    const refuse = () => {
      throw new Error('The application has closed its sessions with the database.');
    };
    Object.assign(connection, { connect: refuse, getClient: refuse });
  };
}

interface SchemaAndPools {
  entities: EntityClass<object>[];
  pools: DatabasePools;
  migrations: readonly MigrationClass[];
}

/** The options of the service, the migrations and MikroORM's CLI. */
export function ormOptions(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  { entities = [], pools = new DatabasePools(), migrations = MIGRATIONS }: Partial<SchemaAndPools> = {},
): Options {
  return defineConfig({
    ...('clientUrl' in address ? { clientUrl: address.clientUrl } : address),
    entities,
    driver: GuardedDriver,
    metadataProvider: ReflectMetadataProvider,
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    // Instants are timestamptz and read as UTC, whatever the machine's time zone.
    timezone: 'Z',
    migrations: {
      migrationsList: [...migrations],
      tableName: 'migrations',
      snapshot: false,
      transactional: true,
      silent: true,
    },
    pool: { max: poolSizes(settings.poolMax).entities },
    driverOptions: {
      // MikroORM takes only host, user, password and database out of a URL, so pg is given all of it.
      ...sessionConfig(address, settings),
      onPoolCreated: (pool: pg.Pool) => {
        governPool(pool, settings, pools.currentUserId);
        pools.add('entities', pool);
      },
    },
  });
}
