import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { drawArchitecture, PICTURE } from '../scripts/architecture.js';
import { roomOf, ROOMS, SANDBOX, type SourceFile, sourceFiles, specifiersOf } from './support/module-graph.js';

const MAY_IMPORT_SANDBOX = [/^src\/app\.module\.ts$/, /^src\/operate\/demo\//];
/** What starts the program imports the application and the list of modules, which import everything. */
const MAY_IMPORT_TOP = [/^src\/[^/]+\.ts$/, /^src\/operate\//, /^src\/kit\//];
/** What modules import of Tidemark; those of operators also the second one. */
const KIT = 'src/kit.ts';
const KIT_OF_OPERATORS = 'src/kit/operate.ts';
const OPERATORS_MODULES = ['backup', 'scale'];
const VENDOR = /^src\/providers\/[^/]+-provider\//;
const LIST_OF_VENDORS = 'src/providers/installed.ts';
const MODULE = /^src\/modules\/([^/]+)\//;
const LIST_OF_MODULES = 'src/modules.ts';

/** Packages that a folder must not know. */
const BANNED: Record<string, RegExp> = {
  'src/platform/money/': /^@nestjs|^@mikro-orm|^kysely/,
  'src/platform/time/': /^@nestjs|^@mikro-orm|^kysely/,
  'src/balances/engine/': /^@nestjs|^@mikro-orm|^kysely|^node:|^rxjs/,
  'src/providers/': /^@mikro-orm|^kysely/,
  'sandbox/': /^@mikro-orm|^kysely/,
  'src/web/': /^kysely/,
};

const places = new Map<string, number>(ROOMS.map((room, place) => [room, place]));
/** Whether the room of the first comes before that of the second. */
const isLater = (target: string, room: string) => (places.get(roomOf(target)) ?? -1) > (places.get(room) ?? Infinity);
const files = sourceFiles();
const isSpec = ({ path }: SourceFile) => path.endsWith('.spec.ts');

/** The imports of sources, without specs, that a rule forbids. */
const importsThat = (isForbidden: (file: SourceFile, target: string) => boolean) =>
  files
    .filter((file) => !isSpec(file))
    .flatMap((file) =>
      file.imports.filter((target) => isForbidden(file, target)).map((target) => `${file.path} imports ${target}`),
    );

function cyclesOf(importsOf: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, trail: string[]): void => {
    if (trail.includes(node)) cycles.push([...trail.slice(trail.indexOf(node)), node].join(' -> '));
    if (trail.includes(node) || done.has(node)) return;
    for (const next of importsOf.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of importsOf.keys()) visit(node, []);
  return cycles;
}

describe('import rules between rooms', () => {
  it.each(["import { a } from './a.js';", "import './a.js';", "await import('./a.js')", "export * from './a.js';"])(
    'the import check recognizes %s',
    (text) => expect(specifiersOf(text)).toEqual(['./a.js']),
  );

  it('every folder of src is a room', () => {
    const folders = new Set(files.map(({ room }) => room).filter((room) => room !== '.'));
    expect([...folders].sort()).toEqual([...ROOMS, SANDBOX].sort());
  });

  it('a room imports only rooms before it', () => {
    expect(importsThat(({ room }, target) => isLater(target, room))).toEqual([]);
  });

  it('only what starts the program imports files at the top', () => {
    const isTop = (target: string) => roomOf(target) === '.';
    expect(
      importsThat(
        ({ path }, target) => isTop(target) && target !== KIT && !MAY_IMPORT_TOP.some((may) => may.test(path)),
      ),
    ).toEqual([]);
  });

  it('only the application and the demo import the sandbox', () => {
    const may = ({ path, room }: SourceFile) => room === SANDBOX || MAY_IMPORT_SANDBOX.some((one) => one.test(path));
    expect(importsThat((file, target) => roomOf(target) === SANDBOX && !may(file))).toEqual([]);
  });

  it('only the list of vendors imports a vendor, and only the list of modules a module', () => {
    const folderOf = (path: string) => VENDOR.exec(path)?.[0] ?? MODULE.exec(path)?.[0];
    const isOpen = (path: string) => path === LIST_OF_VENDORS || path === LIST_OF_MODULES || roomOf(path) === SANDBOX;
    const isForeign = ({ path }: SourceFile, target: string) =>
      folderOf(target) !== undefined && folderOf(target) !== folderOf(path) && !isOpen(path);
    expect(importsThat(isForeign)).toEqual([]);
  });

  it('a module imports only the kit and its own files, and a module for operators also their kit', () => {
    const isAllowed = (name: string, target: string) =>
      target === KIT ||
      (target === KIT_OF_OPERATORS && OPERATORS_MODULES.includes(name)) ||
      target.startsWith(`src/modules/${name}/`);
    const isForeign = ({ path }: SourceFile, target: string) => {
      const name = MODULE.exec(path)?.[1];
      return name !== undefined && !isAllowed(name, target);
    };
    expect(importsThat(isForeign)).toEqual([]);
  });

  it('folders import only the packages that they may know', () => {
    const broken = files
      .filter((file) => !isSpec(file))
      .flatMap(({ path, packages }) => {
        const banned = Object.entries(BANNED).filter(([folder]) => path.startsWith(folder));
        return packages
          .filter((name) => banned.some(([, pattern]) => pattern.test(name)))
          .map((name) => `${path} imports ${name}`);
      });
    expect(broken).toEqual([]);
  });

  it('no files import each other in a cycle', () => {
    // An entity of MikroORM names its repository, and that names the entity.
    const isOwn = (path: string, target: string) => /\.entity\.ts$/.test(path) && /\.repository\.ts$/.test(target);
    const imported = files.map(({ path, loaded }) => [path, loaded.filter((target) => !isOwn(path, target))] as const);
    expect(cyclesOf(new Map(imported))).toEqual([]);
  });

  it('the picture of the architecture shows the rooms and their imports as they are', () => {
    // If it differs: npm run architecture
    expect(readFileSync(PICTURE, 'utf8')).toBe(drawArchitecture(files));
  });

  it('the tour links eight files, and each of them exists', () => {
    const text = readFileSync('docs/inside/tour.md', 'utf8');
    const linked = [...text.matchAll(/^## \d\. \[`([^`]+)`\]\(\.\.\/\.\.\/([^)]+)\)$/gm)];
    expect(linked.map(([, name, path]) => [`src/${name}`, existsSync(path!)])).toEqual(
      linked.map(([, , path]) => [path, true]),
    );
    expect(linked).toHaveLength(8);
  });

  it('there is no barrel file and no folder for miscellaneous code', () => {
    const bad = /(^|\/)(common|shared|utils|helpers|core|lib)\//;
    expect(files.map(({ path }) => path).filter((path) => bad.test(path))).toEqual([]);
    expect(files.map(({ path }) => path).filter((path) => basename(path) === 'index.ts')).toEqual([]);
  });
});
