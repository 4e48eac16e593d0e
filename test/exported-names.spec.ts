import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const EXPORT = /^export (?:async |abstract |default )*(?:function\*?|class|const|interface|type|enum) (\w+)/gm;

/** The sandbox plays each provider in its own folder, in the words of that provider. */
const LEFT_OUT = /spec\.ts$|^src\/sandbox|migrations|\/\d{14}-|\/fake-/;

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String);

/** What the guides build is held to the same, so that they can be followed to their end; once, where somebody did. */
const examples = filesIn('test/examples').filter((file) => !existsSync(join('src', file)));
const files = [
  ...filesIn('src').map((file) => join('src', file)),
  ...examples.map((file) => join('test/examples', file)),
];
const folders = new Map<string, string[]>();
for (const path of files) {
  if (!/\.tsx?$/.test(path) || LEFT_OUT.test(path)) continue;
  for (const [, name] of readFileSync(path, 'utf8').matchAll(EXPORT)) {
    folders.set(name!, [...(folders.get(name!) ?? []), dirname(path)]);
  }
}

/** The folders of providers name the same roles alike, as docs/adding-a-provider.md shows them. */
const providers = new Set(files.filter((path) => path.endsWith('.descriptor.ts')).map(dirname));

describe('an exported name', () => {
  it('has one meaning in the whole of src', () => {
    expect(folders.size).toBeGreaterThan(1_000);
    const twice = [...folders].filter(([, at]) => at.length > 1 && !at.every((folder) => providers.has(folder)));
    expect(Object.fromEntries(twice)).toEqual({});
  });
});
