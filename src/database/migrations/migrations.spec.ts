import { Migration } from '@mikro-orm/migrations';
import { EXIT_CONFIG } from '../../platform/config/startup-error.js';
import { defineModule, type MigrationClass, type TidemarkModule } from '../../platform/module.js';
import { MIGRATIONS, migrationsWith } from './migrations.js';

const called = (name: string): MigrationClass => {
  const migration = class extends Migration {
    override up(): void {}
  };
  Object.defineProperty(migration, 'name', { value: name });
  return migration;
};
const module = (name: string, ...migrations: string[]) => defineModule({ name, migrations: migrations.map(called) });
const refusal = (message: string) => expect.objectContaining({ message, exitCode: EXIT_CONFIG });

describe('migrationsWith', () => {
  it('the schema comes first, and the migrations of modules run in the order of their timestamps', () => {
    const later = [module('B', 'Migration20261202000000B'), module('A', 'Migration20261201000000A')];
    expect(migrationsWith(later).map(({ name }) => name)).toEqual([
      'Migration20261121000000Schema',
      'Migration20261201000000A',
      'Migration20261202000000B',
    ]);
  });

  // The second one would never run, because the database records migrations by their names.
  it.each<[string, TidemarkModule[], string]>([
    [
      'two modules',
      [module('One', 'Migration20261201000000Init'), module('Two', 'Migration20261201000000Init')],
      'Migration20261201000000Init of the module “Two” has the name of another migration. Rename it.',
    ],
    [
      'a module and Tidemark',
      [module('One', MIGRATIONS[0]!.name)],
      `${MIGRATIONS[0]!.name} of the module “One” has the name of another migration. Rename it.`,
    ],
  ])('two migrations with the same name in %s are refused', (_, modules, message) => {
    expect(() => migrationsWith(modules)).toThrow(refusal(message));
  });

  it.each(['BudgetsMigration', 'Migration2Later', 'Migration2026120100000Short'])(
    'a module migration named %s is refused, because its name has no timestamp',
    (name) => {
      const sentence = 'must be named Migration with 14 digits and words, as in Migration20261201000000Goals.';
      expect(() => migrationsWith([module('One', name)])).toThrow(refusal(`${name} of the module “One” ${sentence}`));
    },
  );
});
