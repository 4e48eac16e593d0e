import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

const ROOT = 'src';

/**
 * The rooms, each of which may import those before it. What tests and operators' modules import of them comes behind, and
 * modules last, so that nothing imports one.
 */
export const ROOMS = [
  'platform',
  'database',
  'http',
  'auth',
  'providers',
  'balances',
  'sync',
  'web',
  'operate',
  'kit',
  'modules',
] as const;

/** Beside src: it plays vendors, and is loaded with `SANDBOX=1` only. */
export const SANDBOX = 'sandbox';

export interface SourceFile {
  path: string;
  /** `.` for the files at the top. */
  room: string;
  imports: string[];
  /** Of them, those that are loaded with the file: all but the dynamic ones. */
  loaded: string[];
  packages: string[];
}

/** The files of `src/` and of the sandbox, specs included. */
export function sourceFiles(): SourceFile[] {
  return [ROOT, SANDBOX].flatMap((folder) => {
    const names = readdirSync(folder, { recursive: true }).map(String);
    return names.filter((name) => /\.tsx?$/.test(name)).map((name) => readSource(join(folder, name)));
  });
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  const specifiers = specifiersOf(text);
  const ownOf = (all: readonly string[]) =>
    all
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => sourceOf(normalize(join(dirname(path), specifier))));
  return {
    path,
    room: roomOf(path),
    imports: ownOf(specifiers),
    loaded: ownOf(specifiersOf(text.replaceAll(/import\(/g, ''))),
    packages: specifiers.filter((specifier) => !specifier.startsWith('.')),
  };
}

/** What a text imports: with names, for its side effects, or dynamically. */
export function specifiersOf(text: string): string[] {
  const imports =
    /(?:^|\n)\s*(?:(?:import|export)\s[^;'"]*?from|import)\s*['"]([^'"]+)['"]|import\(\s*['"`]([^'"`]+)['"`]/g;
  return [...text.matchAll(imports)].map(([, fixed, dynamic]) => fixed ?? dynamic ?? '');
}

/** What an import's `.js` is made of. */
function sourceOf(path: string): string {
  const jsx = path.replace(/\.js$/, '.tsx');
  return existsSync(jsx) ? jsx : path.replace(/\.js$/, '.ts');
}

export function roomOf(path: string): string {
  if (path.startsWith(SANDBOX + sep)) return SANDBOX;
  const [first = '', second] = relative(ROOT, path).split(sep);
  return second === undefined ? '.' : first;
}
