import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type EntityClass, type Options } from '@mikro-orm/postgresql';
import type { DatabaseConnection } from 'kysely';
import type { DatabaseAddress } from './address.js';
import { endLostTransactions } from './lost-session.js';
import { MIGRATIONS } from './migrations/migrations.js';

/** What the running service, the migrations and MikroORM's own CLI agree on. */
export function ormOptions(address: DatabaseAddress, entities: EntityClass<object>[]): Options {
  return defineConfig({
    ...address,
    entities,
    metadataProvider: ReflectMetadataProvider,
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    // Instants are stored as timestamptz and read as UTC whatever zone the machine is in.
    timezone: 'Z',
    migrations: {
      migrationsList: [...MIGRATIONS],
      tableName: 'migrations',
      snapshot: false,
      transactional: true,
      silent: true,
    },
    pool: { max: 20 },
    onCreateConnection: (connection) => Promise.resolve(endLostTransactions(connection as DatabaseConnection)),
  });
}
