import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import {
  type Configuration,
  defineConfig,
  type EntityClass,
  type Options,
  PostgreSqlConnection,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type { MigrationClass } from '../platform/module.js';
import type { DatabaseAddress } from './address.js';
import { MIGRATIONS } from './migrations/migrations.js';
import type { DatabaseSettings, SessionUse } from '../platform/config/database-settings.js';
import { poolSizes } from '../platform/config/pool-sizes.js';
import { sessionConfig } from './sessions/bounded-client.js';
import { dropWorkOnRollback, runTransaction } from './sessions/held-session.js';
import { SessionPool, type SessionPoolConfig } from './sessions/session-pool.js';

interface PoolOptions extends SessionPoolConfig {
  onPoolCreated?: (pool: SessionPool) => void;
}

type Transactional = Parameters<PostgreSqlConnection['transactional']>;

/** MikroORM's connection with our pool, whose transactions refuse a second session. */
class GuardedConnection extends PostgreSqlConnection {
  #isClosed = false;

  override createKyselyDialect({ onPoolCreated, ...options }: PoolOptions): PostgresDialect {
    // MikroORM would open a new pool for work that outlives the application, and nobody would close it.
    if (this.#isClosed) throw new Error('The application has closed its sessions with the database.');
    const pool = new SessionPool(this.mapOptions(options));
    onPoolCreated?.(pool);
    return new PostgresDialect({ pool });
  }

  override transactional<T>(
    work: (transaction: Parameters<Transactional[0]>[0]) => Promise<T>,
    options: Transactional[1] = {},
  ): Promise<T> {
    if (options.ctx) return dropWorkOnRollback(() => super.transactional(work, options));
    return runTransaction((whole) => super.transactional(whole, options), work, options.readOnly ?? false);
  }

  override async close(force?: boolean): Promise<void> {
    await super.close(force);
    this.#isClosed = true;
  }
}

class GuardedDriver extends PostgreSqlDriver {
  protected override readonly connection: GuardedConnection;

  constructor(config: Configuration) {
    super(config);
    this.connection = new GuardedConnection(config);
  }
}

interface SchemaAndPool {
  entities: EntityClass<object>[];
  migrations: readonly MigrationClass[];
  pool: Pick<PoolOptions, 'max' | 'currentUserId' | 'onPoolCreated'>;
  use: SessionUse;
}

/** The options of the service, the migrations and MikroORM's CLI. */
export function ormOptions(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  { entities = [], migrations = MIGRATIONS, pool = {}, use = 'request' }: Partial<SchemaAndPool> = {},
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
    driverOptions: {
      max: poolSizes(settings.poolMax).entities,
      // MikroORM takes only host, user, password and database out of a URL, so pg is given all of it.
      ...sessionConfig(address, settings, use),
      ...pool,
    },
  });
}
