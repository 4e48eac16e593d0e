import { type EntityMetadata, MikroORM } from '@mikro-orm/postgresql';
import { readConfig } from '../src/config/config.js';
import { ormOptions } from '../src/database/orm-options.js';
import { ENTITIES } from '../src/entities.js';
import { createTestDatabase, type TestDatabase } from './database.js';

interface Column {
  name: string;
  type: string;
  isNullable: boolean;
  /** Its place in the primary key, from 1; 0: it is no part of it. */
  keyPosition: number;
}

/** MikroORM names some types by their short name, and writes no precision where PostgreSQL has its own. */
const TYPES: Record<string, string> = {
  timestamptz: 'timestamp with time zone',
  'timestamptz(0)': 'timestamp with time zone',
  int: 'integer',
};

function declaredColumns({ props, primaryKeys }: EntityMetadata): Column[] {
  const columns = props.map(({ name, fieldNames, columnTypes, nullable = false }) => ({
    name: fieldNames[0]!,
    type: TYPES[columnTypes[0]!] ?? columnTypes[0]!,
    isNullable: nullable,
    keyPosition: primaryKeys.indexOf(name as never) + 1,
  }));
  return columns.sort(byName);
}

const STORED = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as "isNullable",
    coalesce(array_position(i.indkey::int2[], a.attnum), -1)::integer + 1 as "keyPosition"
  from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`;

const byName = (a: Column, b: Column) => (a.name < b.name ? -1 : 1);

describe('the entities', () => {
  let database: TestDatabase;
  let orm: MikroORM;

  beforeAll(async () => {
    database = await createTestDatabase();
    orm = await MikroORM.init(ormOptions(database.address, ENTITIES, readConfig([], {}, {}).database));
  });
  afterAll(async () => {
    await orm.close(true);
    await database.drop();
  });

  it.each(ENTITIES.map(({ name }) => name))('%s has the columns of its migrated table', async (name) => {
    const meta = orm.getMetadata().getByClassName(name);
    const pool = await orm.em.getConnection().getNativeClient();
    const { rows } = await pool.query<Column>(STORED, [meta.tableName]);
    expect(declaredColumns(meta)).toEqual(rows.sort(byName));
  });
});
