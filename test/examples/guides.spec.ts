import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
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

/** Prettier indents an excerpt anew. */
const squeezed = (text: string) => text.replace(/\s+/g, '').replace(/,(?=[)\]}])/g, '');

interface Excerpt {
  file: string;
  code: string;
}

/** Blocks of code below the name of a file of the example; more blocks without a name are of the same file. */
function excerptsOf(text: string): Excerpt[] {
  let file: string | null = null;
  const found: Excerpt[] = [];
  for (const [, name, code] of text.matchAll(/^`([\w.-]+\.tsx?)`$|^```tsx?\n(.*?)^```$|^#+ [^\n]*$/gms)) {
    if (code !== undefined) found.push(...(file === null ? [] : [{ file, code }]));
    else file = name ?? null;
  }
  return found;
}

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
  it('has at most 250 lines', () => {
    expect(guide.text.split('\n').length).toBeLessThanOrEqual(251);
  });

  it('links every file of the example but its own tests', () => {
    const files = readdirSync(guide.folder).filter((file) => !guide.isUnshown(file));
    expect(files.filter((file) => !guide.text.includes(`${guide.folder}/${file})`))).toEqual([]);
  });

  it.each(excerptsOf(guide.text))('has an excerpt of $file as it is', ({ file, code }) => {
    expect(squeezed(readFileSync(`${guide.folder}/${file}`, 'utf8'))).toContain(squeezed(code));
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
    const imported = files.flatMap((file) => [
      ...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/ from '(\.\.[^']*)'/g),
    ]);
    expect([...new Set(imported.map(([, from]) => from))]).toEqual(['../../../src/kit.js']);
  });
});

describe('the example of a provider', () => {
  it('imports of Tidemark what the kit has too, for a package', () => {
    const { folder, isUnshown } = GUIDES['docs/extend/provider.md']!;
    const kit = readFileSync('src/kit.ts', 'utf8');
    const files = readdirSync(folder).filter((file) => !isUnshown(file) && !/fake|spec/.test(file));
    const lists = files.flatMap((file) => [
      ...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/import (?:type )?\{([^}]*)\} from '(\.\.[^']*)'/g),
    ]);
    const names = lists.flatMap(([, list]) => list!.match(/\w+/g) ?? []).filter((name) => name !== 'type');
    expect(names).toContain('fetchAsFarAsPossible');
    expect(names.filter((name) => !new RegExp(`^(?!/?\\s*\\*).*\\b${name}\\b`, 'm').test(kit))).toEqual([]);
  });
});

describe('documentation', () => {
  /** The headings of a page, as links name them. */
  const anchorsOf = (text: string) => [
    ...[...text.matchAll(/<a name="([^"]+)"/g)].map(([, name]) => name),
    ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  ];

  it('each link of a page leads to a file, and to a heading of it', () => {
    const pages = [...globSync('*.md'), ...globSync('{docs,client,bench,examples}/**/*.md')];
    const broken = pages
      .filter((page) => !page.includes('node_modules'))
      .flatMap((page) => {
        const text = readFileSync(page, 'utf8').replaceAll(/```.*?```|`[^`\n]*`/gs, '');
        const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
        const isBroken = ([, path, anchor]: RegExpExecArray) => {
          const target = path ? normalize(`${dirname(page)}/${path}`) : page;
          if (!existsSync(target)) return true;
          return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
        };
        return links.filter(isBroken).map(([link]) => `${page}: ${link}`);
      });
    expect(broken).toEqual([]);
  });
});

describe('src/kit.ts', () => {
  it.each(['src/kit.ts', 'src/kit/operate.ts'])('each export of %s has an example', (path) => {
    const lines = readFileSync(path, 'utf8').split('\n');
    const bare = lines.filter((line, index) => /^export (\{|type|class)/.test(line) && !hasExample(lines, index));
    expect(bare).toEqual([]);
  });
});

/** Whether the comment above a line has one; decorators may be between. */
function hasExample(lines: readonly string[], index: number): boolean {
  const end = lines.slice(0, index).findLastIndex((line) => !line.startsWith('@'));
  const begin = lines.slice(0, end + 1).findLastIndex((line) => line.startsWith('/**'));
  const comment = lines.slice(begin, end + 1);
  return comment.at(-1)!.endsWith('*/') && comment.some((line) => line.includes('@example'));
}
