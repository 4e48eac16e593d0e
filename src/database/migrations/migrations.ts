import { EXIT_CONFIG, StartupError } from '../../platform/config/startup-error.js';
import type { TidemarkModule, MigrationClass } from '../../platform/module.js';
import { Migration20261121000000Schema } from './20261121000000-schema.js';

/** Every migration, oldest first. From the first release on, one that has been released is never edited. */
export const MIGRATIONS = [Migration20261121000000Schema];

const NAME = /^Migration\d{14}/;

/**
 * Tidemark's migrations and those of the modules, oldest first: the name of each begins with its time.
 *
 * @throws StartupError for a name of another form, and for one that occurs twice: the second one would never run
 */
export function migrationsWith(modules: readonly TidemarkModule[]): readonly MigrationClass[] {
  const all: MigrationClass[] = [...MIGRATIONS];
  const names = new Set(all.map(({ name }) => name));
  for (const { name: module, migrations = [] } of modules) {
    for (const migration of migrations) {
      const what = `${migration.name} of the module “${module}”`;
      if (!NAME.test(migration.name)) {
        const form = 'Migration with 14 digits and words, as in Migration20261201000000Goals';
        throw new StartupError(`${what} must be named ${form}.`, EXIT_CONFIG);
      }
      if (names.has(migration.name)) {
        throw new StartupError(`${what} has the name of another migration. Rename it.`, EXIT_CONFIG);
      }
      names.add(migration.name);
      all.push(migration);
    }
  }
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}
