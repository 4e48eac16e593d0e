import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const FOLDER = 'test/examples/third-provider';
const GUIDE = readFileSync('docs/adding-a-provider.md', 'utf8');

/** Imports differ, since the example lies elsewhere than a provider. */
const withoutImports = (text: string) => text.replace(/^import [^;]*;\n/gm, '').trim();

describe('docs/adding-a-provider.md', () => {
  const shown = [...GUIDE.matchAll(/^`([\w./-]+\.ts)`\n\n```ts\n(.*?)^```$/gms)].map(([, path, code]) => ({
    file: basename(path!),
    code: code!,
  }));

  it('shows every file of the example but its own tests', () => {
    const files = readdirSync(FOLDER).filter((file) => !/spec\.ts$/.test(file) || /contract/.test(file));
    expect(shown.map(({ file }) => file).sort()).toEqual(files.sort());
  });

  it.each(shown)('shows $file as it is', ({ file, code }) => {
    expect(withoutImports(code)).toBe(withoutImports(readFileSync(`${FOLDER}/${file}`, 'utf8')));
  });

  it('needs nothing in src besides the line in providers.ts', () => {
    const sources = readdirSync('src', { recursive: true }).map(String);
    const mentions = sources.filter(
      (path) => /\.tsx?$/.test(path) && /third.?provider/i.test(readFileSync(`src/${path}`, 'utf8')),
    );
    expect(mentions).toEqual([]);
  });
});
