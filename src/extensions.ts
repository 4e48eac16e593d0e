import { MIGRATIONS } from './database/migrations/migrations.js';
import type { Extension, MigrationClass } from './extension/extension.js';

/** The installed extensions. A new one is a folder and one name here. */
export const EXTENSIONS: readonly Extension[] = [];

/** Of this program, all of them. */
export const ALL_MIGRATIONS = migrationsWith(EXTENSIONS);

/** Tidemark's migrations and those of the extensions, oldest first: the name of each begins with its time. */
export function migrationsWith(extensions: readonly Extension[]): readonly MigrationClass[] {
  const all: MigrationClass[] = [...MIGRATIONS, ...extensions.flatMap(({ migrations }) => migrations)];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}
