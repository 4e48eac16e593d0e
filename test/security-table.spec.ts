import { existsSync, readFileSync } from 'node:fs';

describe('docs/inside/security.md', () => {
  const text = readFileSync('docs/inside/security.md', 'utf8');

  it('docs/inside/security.md names only existing tests', () => {
    const specs = [...text.matchAll(/`((?:src|test)\/[^`]+(?:spec|\.e2e)\.tsx?)`/g)].map(([, path]) => path!);
    expect(specs.length).toBeGreaterThan(40);
    expect(specs.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('docs/inside/security.md says for every requirement how it is met and which test shows it, or why none does', () => {
    const lines = text.slice(text.indexOf('| Chapter')).split('\n').slice(2);
    const cells = lines
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const unmet = cells.filter(([, , demand, how, shown]) => demand !== '' && (how === '' || shown === ''));
    expect(unmet).toEqual([]);
  });
});
