import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['src', 'sandbox', 'test'];
const SPEC = /\.(spec|e2e-spec)\.tsx?$/;

/** Every spec file of ours, by its path from the project's folder: tools installed below `test` have some, too. */
export function specFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => SPEC.test(path) && !path.includes('node_modules')),
  ).sort();
}

/** The suites with properties whose path contains one of the names; all of them where there is no name. */
export function suitesWithProperties(names: readonly string[]): string[] {
  return specFiles()
    .filter((path) => names.length === 0 || names.some((name) => path.includes(name)))
    .filter((path) => readFileSync(path, 'utf8').includes(`from 'fast-check'`));
}
