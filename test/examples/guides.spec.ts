import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROVIDER_ERROR_KINDS } from '../../src/providers/provider-error.js';

interface Guide {
  text: string;
  folder: string;
  /** What the example has and the guide need not show. */
  isUnshown: (file: string) => boolean;
  /** How the example is called in src by who follows the guide, and the file with its one line. */
  name: RegExp;
  list: string;
}

const GUIDES: Record<string, Guide> = {
  'docs/extend/provider.md': {
    text: readFileSync('docs/extend/provider.md', 'utf8'),
    folder: 'test/examples/third-provider',
    isUnshown: (file) => /spec\.ts$/.test(file) && !/contract/.test(file),
    name: /third.?provider/i,
    list: 'providers.ts',
  },
  'docs/extend/module.md': {
    text: readFileSync('docs/extend/module.md', 'utf8'),
    folder: 'test/examples/savings-goals',
    isUnshown: (file) => /spec\.ts$/.test(file) && !/first/.test(file),
    name: /savings.?goal/i,
    list: 'modules.ts',
  },
};

const { text: PROVIDER_GUIDE } = GUIDES['docs/extend/provider.md']!;

const IMPORT = /^import ([^;]*) from '([^']*)';\n/gm;
/** Imports differ, since the example lies elsewhere than in src. */
const withoutImports = (text: string) => text.replace(IMPORT, '').trim();

/** What a file imports, and from where: files of the example by their names, all others by their paths. */
function importsOf(path: string, text: string, folder: string): string[] {
  const isOfExample = new Set(readdirSync(folder).map((file) => file.replace(/\.ts$/, '.js')));
  const placeOf = (from: string) => (from.startsWith('.') ? join(dirname(path), from) : from);
  const shown = (place: string) => (isOfExample.has(basename(place)) ? basename(place) : place);
  return [...text.matchAll(IMPORT)]
    .map(([, names, from]) => `${names!.replace(/[\s,]+/g, ' ')} from ${shown(placeOf(from!))}`)
    .sort();
}

/** Files are shown under their name; `src/modules.ts` is ours and shown with the line to add. */
const shownIn = ({ text }: Guide) =>
  [...text.matchAll(/^`([\w./-]+\/[\w.-]+\.ts)`\n\n```ts\n(.*?)^```$/gms)]
    .map(([, path, code]) => ({ path: path!, file: basename(path!), code: code! }))
    .filter(({ path }) => path !== 'src/modules.ts');

describe('docs/extend/provider.md', () => {
  it('says of each kind of error what Tidemark does', () => {
    const rows = PROVIDER_GUIDE.split('## 2. How the vendor is asked')[1]!
      .split('A message is')[0]!
      .matchAll(/^\|([^|]*`[^|]*)\|/gm);
    const kinds = [...rows].flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)].map(([, kind]) => kind));
    expect(kinds).toEqual(PROVIDER_ERROR_KINDS);
  });
});

describe.each(Object.entries(GUIDES))('%s', (_, guide) => {
  it('shows every file of the example but its own tests', () => {
    const files = readdirSync(guide.folder).filter((file) => !guide.isUnshown(file));
    expect(
      shownIn(guide)
        .map(({ file }) => file)
        .sort(),
    ).toEqual(files.sort());
  });

  it.each(shownIn(guide))('shows $file as it is', ({ path, file, code }) => {
    const inExample = `${guide.folder}/${file}`;
    const text = readFileSync(inExample, 'utf8');
    expect(withoutImports(code)).toBe(withoutImports(text));
    expect(importsOf(path, code, guide.folder)).toEqual(importsOf(inExample, text, guide.folder));
  });

  it('needs nothing in src besides its one line', () => {
    const sources = readdirSync('src', { recursive: true })
      .map(String)
      .filter((path) => /\.tsx?$/.test(path) && path !== guide.list && !guide.name.test(dirname(path)));
    const mentions = sources.filter((path) => guide.name.test(readFileSync(`src/${path}`, 'utf8')));
    expect(mentions).toEqual([]);
  });
});

describe('the example of a module', () => {
  it('imports of Tidemark only the kit', () => {
    const folder = GUIDES['docs/extend/module.md']!.folder;
    const files = readdirSync(folder).filter((file) => !/spec\.ts$/.test(file));
    const imported = files.flatMap((file) => [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(IMPORT)]);
    const own = imported.map(([, , from]) => from!).filter((from) => from.startsWith('..'));
    expect([...new Set(own)]).toEqual(['../../../src/kit.js']);
  });
});
