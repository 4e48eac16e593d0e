import { Migration } from '@mikro-orm/migrations';
import { EXIT_CONFIG } from '../../config/startup-error.js';
import type { Extension, MigrationClass } from '../../extension/extension.js';
import { MIGRATIONS, migrationsWith } from './migrations.js';

const called = (name: string): MigrationClass => {
  const migration = class extends Migration {
    override up(): void {}
  };
  Object.defineProperty(migration, 'name', { value: name });
  return migration;
};
const extension = (name: string, ...migrations: string[]): Extension => ({
  module: class {},
  tag: { name, description: '' },
  entities: [],
  migrations: migrations.map(called),
  personalData: [],
});
const refusal = (message: string) => expect.objectContaining({ message, exitCode: EXIT_CONFIG });

describe('migrationsWith', () => {
  it('the schema comes first, and the migrations of extensions run in the order of their timestamps', () => {
    const later = [extension('B', 'Migration20261202000000B'), extension('A', 'Migration20261201000000A')];
    expect(migrationsWith(later).map(({ name }) => name)).toEqual([
      'Migration20261121000000Schema',
      'Migration20261201000000A',
      'Migration20261202000000B',
    ]);
  });

  // The second one would never run, because the database records migrations by their names.
  it.each<[string, Extension[], string]>([
    [
      'two extensions',
      [extension('One', 'Migration20261201000000Init'), extension('Two', 'Migration20261201000000Init')],
      'Migration20261201000000Init of the module “Two” has the name of another migration. Rename it.',
    ],
    [
      'an extension and Tidemark',
      [extension('One', MIGRATIONS[0]!.name)],
      `${MIGRATIONS[0]!.name} of the module “One” has the name of another migration. Rename it.`,
    ],
  ])('two migrations with the same name in %s are refused', (_, extensions, message) => {
    expect(() => migrationsWith(extensions)).toThrow(refusal(message));
  });

  it.each(['BudgetsMigration', 'Migration2Later', 'Migration2026120100000Short'])(
    'an extension migration named %s is refused, because its name has no timestamp',
    (name) => {
      const sentence = 'must be named Migration with 14 digits and words, as in Migration20261201000000Goals.';
      expect(() => migrationsWith([extension('One', name)])).toThrow(
        refusal(`${name} of the module “One” ${sentence}`),
      );
    },
  );
});
