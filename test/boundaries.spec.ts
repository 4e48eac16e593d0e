import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative, sep } from 'node:path';

const ROOT = 'src';

/**
 * Which folder may import which: the table of docs/architecture.md. `.` stands for the files at the top of src. A folder may
 * always import itself.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  errors: [],
  money: [],
  platform: ['config', 'time'],
  time: [],
  config: [],
  'balance-engine': ['money', 'time'],
  database: ['cli', 'errors', 'config', 'time'],
  http: ['errors', 'money', 'time', 'config', 'observability/metrics'],
  'change-log': ['errors', 'http', 'time', 'config', 'database', 'observability/metrics'],
  auth: ['errors', 'http', 'time', 'config', 'database', 'observability/metrics', 'vault'],
  accounts: ['errors', 'change-log', 'auth', 'http', 'money', 'time', 'balance-engine', 'config', 'database'],
  balances: [
    'errors',
    'change-log',
    'accounts',
    'auth',
    'http',
    'money',
    'time',
    'balance-engine',
    'config',
    'database',
  ],
  'bank-provider': ['money', 'time', 'config', 'observability/tracing'],
  connections: ['errors', 'change-log', 'bank-provider', 'http', 'time', 'config', 'database', 'vault'],
  idempotency: ['errors', 'vault', 'auth', 'http', 'time', 'config', 'database'],
  ingest: [
    ...['errors', 'change-log', 'connections', 'bank-provider', 'balances', 'accounts', 'auth'],
    ...['http', 'money', 'time', 'balance-engine', 'config', 'database'],
  ],
  sync: [
    ...[
      'errors',
      'change-log',
      'ingest',
      'connections',
      'bank-provider',
      'balances',
      'accounts',
      'auth',
      'http',
      'money',
    ],
    ...[
      'schedule',
      'time',
      'balance-engine',
      'config',
      'database',
      'observability/logging',
      'observability/metrics',
      'observability/tracing',
      'vault',
    ],
  ],
  schedule: ['database', 'http', 'time', 'config'],
  retention: ['webhooks', 'auth', 'change-log', 'schedule', 'time', 'config', 'database'],
  backup: [
    ...['cli', 'bootstrap', 'change-log', 'connections', 'balances', 'accounts', 'schedule', 'http'],
    ...['time', 'config', 'database', 'vault'],
  ],
  webhooks: [
    ...['sync', 'web'],
    ...['errors', 'change-log', 'bank-provider', 'auth', 'http', 'time', 'config', 'database', 'vault'],
    'observability/metrics',
  ],
  'change-feed': ['errors', 'change-log', 'sync', 'balances', 'accounts', 'auth', 'http', 'time', 'database'],
  doctor: ['.', 'sync', 'bootstrap', 'backup', 'connections', 'bank-provider', 'database', 'time', 'config', 'vault'],
  'personal-data': ['http', 'auth', 'config', 'database'],
  mcp: ['sync', 'balances', 'accounts', 'auth', 'http', 'config'],
  web: [
    ...[
      'errors',
      'personal-data',
      'idempotency',
      'webhooks',
      'sync',
      'ingest',
      'connections',
      'bank-provider',
      'balances',
      'accounts',
    ],
    ...['auth', 'http', 'money', 'time', 'balance-engine', 'config'],
  ],
  sandbox: ['money', 'time', 'bank-provider', 'config'],
  'observability/metrics': ['config'],
  'observability/logging': ['http', 'bank-provider', 'config'],
  'observability/tracing': ['config', 'observability/logging', 'observability/metrics'],
  'observability/health': ['errors', 'http', 'auth', 'time', 'database'],
  'observability/exposition': [
    'errors',
    'http',
    'auth',
    'bank-provider',
    'time',
    'config',
    'database',
    'observability/metrics',
  ],
  observability: ['observability/exposition', 'observability/health'],
  openapi: ['sync', 'bank-provider', 'auth', 'http', 'config'],
  bootstrap: [
    ...['modules', 'connections', 'bank-provider', 'observability/exposition', 'observability/metrics'],
    ...['observability/logging', 'http', 'database', 'time', 'config', 'vault'],
  ],
  cli: [
    ...['.', 'backup', 'connections', 'doctor', 'database', 'bootstrap', 'sync', 'bank-provider'],
    ...['balances', 'accounts', 'auth', 'http', 'errors', 'time', 'config', 'observability/logging', 'vault'],
  ],
  demo: ['.', 'bootstrap', 'cli', 'openapi', 'sandbox', 'sync', 'bank-provider', 'balances', 'auth', 'config'],
  vault: ['config'],
};

/** Their subfolders are folders of their own: what everybody may import lies beside what imports much itself. */
const SPLIT_FOLDERS: ReadonlySet<string> = new Set(['observability']);

/** A folder with a provider's module is a vendor's, one with a descriptor an added module; the table lists neither. */
const PROVIDER_MODULE = /-provider\.module\.ts$/;
const DESCRIPTOR = /\.descriptor\.ts$/;
const VENDOR_MAY_IMPORT = ['bank-provider', 'money', 'time', 'config'];
/** Such a folder is imported by its list only, through that file only. */
const LISTS: Record<string, RegExp> = {
  [join(ROOT, 'providers.ts')]: PROVIDER_MODULE,
  [join(ROOT, 'modules.ts')]: DESCRIPTOR,
};
/** What starts the program. */
const NOT_FOR_MODULES = ['.', 'bootstrap', 'cli', 'demo', 'doctor', 'sandbox'];

const VENDOR_BANNED = /^@mikro-orm|^kysely/;

/** Packages that a folder must not know. */
const BANNED: Record<string, RegExp> = {
  errors: /^@nestjs|^@mikro-orm|^kysely|^express/,
  money: /^@nestjs|^@mikro-orm|^kysely/,
  time: /^@nestjs|^@mikro-orm|^kysely/,
  'balance-engine': /^@nestjs|^@mikro-orm|^kysely|^node:|^rxjs/,
  http: /^@mikro-orm|^kysely/,
  'bank-provider': /^@mikro-orm|^kysely/,
  sandbox: /^@mikro-orm|^kysely/,
  web: /^@mikro-orm|^kysely/,
};

interface SourceFile {
  path: string;
  folder: string;
  imports: string[];
  /** Of them, those that are loaded with the file: all but the dynamic ones. */
  loaded: string[];
  packages: string[];
}

function sourceFiles(): SourceFile[] {
  const names = readdirSync(ROOT, { recursive: true }).map(String);
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => readSource(join(ROOT, name)));
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
    folder: folderOf(path),
    imports: ownOf(specifiers),
    loaded: ownOf(specifiersOf(text.replaceAll(/import\(/g, ''))),
    packages: specifiers.filter((specifier) => !specifier.startsWith('.')),
  };
}

/** What a text imports: with names, for its side effects, or dynamically. */
function specifiersOf(text: string): string[] {
  const imports =
    /(?:^|\n)\s*(?:(?:import|export)\s[^;'"]*?from|import)\s*['"]([^'"]+)['"]|import\(\s*['"`]([^'"`]+)['"`]/g;
  return [...text.matchAll(imports)].map(([, fixed, dynamic]) => fixed ?? dynamic ?? '');
}

/** What an import's `.js` is made of. */
function sourceOf(path: string): string {
  const jsx = path.replace(/\.js$/, '.tsx');
  return existsSync(jsx) ? jsx : path.replace(/\.js$/, '.ts');
}

function folderOf(path: string): string {
  const [first = '', second, third] = relative(ROOT, path).split(sep);
  if (second === undefined) return '.';
  return SPLIT_FOLDERS.has(first) && third !== undefined ? `${first}/${second}` : first;
}

/** The first folder below a folder of the table, or the folder itself for what lies directly in it. */
function subfolderOf(path: string): string {
  return join(ROOT, ...dirname(relative(ROOT, path)).split(sep).slice(0, 2));
}

/** How the table names an imported file: its folder, or the name of a file at the top. */
function doorOf(path: string): string {
  return folderOf(path) === '.' ? basename(path, '.ts') : folderOf(path);
}

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

const files = sourceFiles();
const isSpec = ({ path }: SourceFile) => path.endsWith('.spec.ts');
const foldersWith = (name: RegExp) => new Set(files.filter(({ path }) => name.test(path)).map(({ folder }) => folder));
const vendors = foldersWith(PROVIDER_MODULE);
const modules = new Set([...foldersWith(DESCRIPTOR)].filter((folder) => !MAY_IMPORT[folder]));
const MODULE_MAY_IMPORT = Object.keys(MAY_IMPORT).filter((folder) => !NOT_FOR_MODULES.includes(folder));

function mayImport(folder: string): readonly string[] | undefined {
  if (vendors.has(folder)) return VENDOR_MAY_IMPORT;
  return modules.has(folder) ? MODULE_MAY_IMPORT : MAY_IMPORT[folder];
}

const banned = (folder: string) => (vendors.has(folder) ? VENDOR_BANNED : BANNED[folder]);

describe('import rules between folders', () => {
  it.each(["import { a } from './a.js';", "import './a.js';", "await import('./a.js')", "export * from './a.js';"])(
    'the import check recognizes %s',
    (text) => expect(specifiersOf(text)).toEqual(['./a.js']),
  );

  it('the table of allowed imports lists every folder', () => {
    const folders = new Set(files.map(({ folder }) => folder).filter((folder) => folder !== '.'));
    expect([...folders].sort()).toEqual([...Object.keys(MAY_IMPORT), ...vendors, ...modules].sort());
  });

  it('no file imports a folder that the table does not allow', () => {
    const broken = files.flatMap(({ path, folder, imports }) => {
      const allowed = mayImport(folder);
      if (!allowed) return [];
      return imports
        .filter((target) => target.startsWith(ROOT + sep) && folderOf(target) !== folder)
        .filter(
          (target) =>
            folderOf(target) !== 'platform' &&
            !allowed.includes(doorOf(target)) &&
            !(allowed.includes('.') && folderOf(target) === '.'),
        )
        .map((target) => `${path} imports ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it('only the lists of providers and modules import vendors and added modules', () => {
    expect(vendors.size).toBeGreaterThan(0);
    const listed = new Set([...vendors, ...modules]);
    const broken = files.flatMap(({ path, folder, imports }) =>
      imports
        .filter((target) => listed.has(folderOf(target)) && folderOf(target) !== folder)
        .filter((target) => !LISTS[path]?.test(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('folders import only the packages that they may know', () => {
    const broken = files
      .filter((file) => !isSpec(file))
      .flatMap(({ path, folder, packages }) =>
        packages.filter((name) => banned(folder)?.test(name)).map((name) => `${path} imports ${name}`),
      );
    expect(broken).toEqual([]);
  });

  it('no subfolders of a folder import each other in a cycle', () => {
    const imported = new Map<string, Set<string>>();
    for (const { path, imports } of files.filter((file) => !isSpec(file))) {
      const from = subfolderOf(path);
      for (const target of imports.map(subfolderOf)) {
        const isSibling = target !== from && dirname(target) === dirname(from);
        if (isSibling && dirname(from) !== ROOT) imported.set(from, (imported.get(from) ?? new Set()).add(target));
      }
    }
    expect(cyclesOf(imported)).toEqual([]);
  });

  it('no folders import each other in a cycle', () => {
    // An entity of MikroORM names its repository, and that names the entity.
    const isOwn = (path: string, target: string) => /\.entity\.ts$/.test(path) && /\.repository\.ts$/.test(target);
    const imported = files.map(({ path, loaded }) => [path, loaded.filter((target) => !isOwn(path, target))] as const);
    expect(cyclesOf(new Map(imported))).toEqual([]);
  });

  it('there is no barrel file and no folder for miscellaneous code', () => {
    const bad = /(^|\/)(common|shared|utils|helpers|core|lib)\//;
    expect(files.map(({ path }) => path).filter((path) => bad.test(path))).toEqual([]);
    expect(files.map(({ path }) => path).filter((path) => basename(path) === 'index.ts')).toEqual([]);
  });
});
