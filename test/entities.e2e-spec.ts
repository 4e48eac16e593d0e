import { readdirSync, readFileSync } from 'node:fs';
import { MikroORM } from '@mikro-orm/postgresql';
import { readConfig } from '../src/config/config.js';
import { ormOptions } from '../src/database/orm-options.js';
import { ENTITIES } from '../src/entities.js';
import { EXTENSIONS } from '../src/extensions.js';
import { createTestDatabase, type TestDatabase } from './support/database.js';
import { declaredColumns, snakeCase, storedColumns } from './support/entity-columns.js';

describe('the entities', () => {
  let database: TestDatabase;
  let orm: MikroORM;

  beforeAll(async () => {
    database = await createTestDatabase();
    orm = await MikroORM.init(ormOptions(database.address, readConfig([], {}, {}).database, { entities: ENTITIES }));
  });
  afterAll(async () => {
    await orm.close(true);
    await database.drop();
  });

  it.each(ENTITIES.map(({ name }) => name))('%s has the columns of its migrated table', async (name) => {
    const meta = orm.getMetadata().getByClassName(name);
    expect(declaredColumns(meta)).toEqual(await storedColumns(orm.em, meta.tableName));
  });

  it.each(ENTITIES.map(({ name }) => name))('%s is known to typed queries by the names of its columns', (name) => {
    const { props } = orm.getMetadata().getByClassName(name);
    expect(props.map((prop) => snakeCase(prop.name))).toEqual(props.map(({ fieldNames }) => fieldNames[0]));
  });

  it('tell typed queries the name of their table', () => {
    const names = readdirSync('src', { recursive: true }).map(String);
    const files = names.filter((name) => /\.entity\.ts$/.test(name)).map((name) => readFileSync(`src/${name}`, 'utf8'));
    expect(files).toHaveLength(ENTITIES.length + EXTENSIONS.flatMap(({ entities }) => entities).length);
    for (const text of files) {
      const table = /tableName: '(\w+)'/.exec(text)?.[1];
      expect(/\[EntityName\]\?: '(\w+)'/.exec(text)?.[1]).toBe(table);
    }
  });
});
