import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const EXPORT = /^export (?:async |abstract |default )*(?:function\*?|class|const|interface|type|enum) (\w+)/gm;

/** The folders of providers name the same roles alike, as docs/adding-a-provider.md shows them. */
const PROVIDERS: readonly string[] = ['src/us-provider', 'src/global-provider'];

const folders = new Map<string, string[]>();
for (const file of readdirSync('src', { recursive: true }).map(String)) {
  // The sandbox plays each provider in its own folder, in the words of that provider.
  if (!/\.tsx?$/.test(file) || /\.spec\.|^sandbox|migrations/.test(file)) continue;
  const path = join('src', file);
  for (const [, name] of readFileSync(path, 'utf8').matchAll(EXPORT)) {
    folders.set(name!, [...(folders.get(name!) ?? []), dirname(path)]);
  }
}

describe('an exported name', () => {
  it('has one meaning in the whole of src', () => {
    expect(folders.size).toBeGreaterThan(1_000);
    const twice = [...folders].filter(([, at]) => at.length > 1 && !at.every((folder) => PROVIDERS.includes(folder)));
    expect(Object.fromEntries(twice)).toEqual({});
  });
});
