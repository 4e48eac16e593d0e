import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = 'docs/us-provider.md';
const FOLDERS = ['src/us-provider', 'src/bank-provider', 'test'];

function sourceOf(name: string): string {
  const folder = FOLDERS.find((candidate) => readdirSync(candidate).includes(`${name}.ts`));
  return folder ? readFileSync(join(folder, `${name}.ts`), 'utf8') : '';
}

describe('the page about the US provider', () => {
  it('names only tests that exist', () => {
    const named = [...readFileSync(PAGE, 'utf8').matchAll(/`([\w.-]+spec)` “([^”]+)”/g)];
    expect(named.length).toBeGreaterThan(50);
    const missing = named.filter(([, file = '', title = '']) => !sourceOf(file).includes(`'${title}'`));
    expect(missing.map(([whole]) => whole)).toEqual([]);
  });
});
