import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

interface Guide {
  text: string;
  folder: string;
  /** What the example has and the guide need not show. */
  isUnshown: (file: string) => boolean;
  /** How the example would be called in src. */
  name: RegExp;
}

const GUIDES: Record<string, Guide> = {
  'docs/adding-a-provider.md': {
    text: readFileSync('docs/adding-a-provider.md', 'utf8'),
    folder: 'test/examples/third-provider',
    isUnshown: (file) => /spec\.ts$/.test(file) && !/contract/.test(file),
    name: /third.?provider/i,
  },
  'docs/adding-a-module.md': {
    text: readFileSync('docs/adding-a-module.md', 'utf8'),
    folder: 'test/examples/savings-goals',
    isUnshown: (file) => /spec\.ts$/.test(file),
    name: /savings.?goal/i,
  },
};

/** Imports differ, since the example lies elsewhere than in src. */
const withoutImports = (text: string) => text.replace(/^import [^;]*;\n/gm, '').trim();

/** Files are shown under their name; `src/extensions.ts` is ours and shown with the line to add. */
const shownIn = ({ text }: Guide) =>
  [...text.matchAll(/^`([\w./-]+\/[\w.-]+\.ts)`\n\n```ts\n(.*?)^```$/gms)]
    .map(([, path, code]) => ({ path: path!, file: basename(path!), code: code! }))
    .filter(({ path }) => path !== 'src/extensions.ts');

describe.each(Object.entries(GUIDES))('%s', (_, guide) => {
  it('shows every file of the example but its own tests', () => {
    const files = readdirSync(guide.folder).filter((file) => !guide.isUnshown(file));
    expect(
      shownIn(guide)
        .map(({ file }) => file)
        .sort(),
    ).toEqual(files.sort());
  });

  it.each(shownIn(guide))('shows $file as it is', ({ file, code }) => {
    expect(withoutImports(code)).toBe(withoutImports(readFileSync(`${guide.folder}/${file}`, 'utf8')));
  });

  it('needs nothing in src besides its one line', () => {
    const sources = readdirSync('src', { recursive: true }).map(String);
    const mentions = sources.filter(
      (path) => /\.tsx?$/.test(path) && guide.name.test(readFileSync(`src/${path}`, 'utf8')),
    );
    expect(mentions).toEqual([]);
  });
});
