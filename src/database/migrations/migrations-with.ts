import type { Extension, MigrationClass } from '../../extension/extension.js';
import { MIGRATIONS } from './migrations.js';

/** Tidemark's migrations and those of the extensions, oldest first: the name of each begins with its time. */
export function migrationsWith(extensions: readonly Extension[]): readonly MigrationClass[] {
  const all: MigrationClass[] = [...MIGRATIONS, ...extensions.flatMap(({ migrations }) => migrations)];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}
