import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = [
  'src/providers',
  'src/providers/feed',
  'src/providers/http',
  'src/platform/logging',
  'src/sync',
  'src/balances/engine/worked-examples',
  'test',
];

/** A page that says of each fault and trap of a vendor which test plays it, and which scenario of the sandbox. */
interface ProviderPage {
  path: string;
  /** Where the vendor's own specs are. */
  folder: string;
  /** The section of docs/use/sandbox.md that lists the vendor's scenarios. */
  scenarios: string;
  faults: number;
  traps: number;
}

/** What holds such a page to the truth: it cannot lack a row, or name a test or a scenario that is not there. */
export function describeProviderPage({ path, folder, scenarios, faults, traps }: ProviderPage): void {
  const page = readFileSync(path, 'utf8');

  function sourceOf(name: string): string {
    const file = [folder, ...FOLDERS].map((candidate) => join(candidate, `${name}.ts`)).find(existsSync);
    return file ? readFileSync(file, 'utf8') : '';
  }

  /** The rows of the table below a heading, each with its cells. */
  function rows(heading: string): string[][] {
    const section = sectionOf(page, heading);
    const table = section.split('\n').filter((line) => line.startsWith('| '));
    return table.slice(2).map((line) => line.split('|').map((cell) => cell.trim()));
  }

  describe(path, () => {
    it.each([
      ['Faults', faults],
      ['Traps', traps],
    ])('the section %s of a provider page has a row for each number and a test in each row', (heading, count) => {
      const numbers = rows(heading).map(([, first = '']) => Number.parseInt(first, 10));
      expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      const untested = rows(heading).filter((cells) => !/`[\w./-]+(?:spec|e2e)` “/.test(cells.join('|')));
      expect(untested).toEqual([]);
    });

    it('a provider page names only tests that exist', () => {
      const named = [...page.matchAll(/`([\w./-]+(?:spec|e2e))` “([^”]+)”/g)];
      const missing = named.filter(([, file = '', title = '']) => !sourceOf(file).includes(`'${title}'`));
      expect(missing.map(([whole]) => whole)).toEqual([]);
    });

    it('a provider page names only scenarios that the sandbox plays', () => {
      const listed = sectionOf(readFileSync('docs/use/sandbox.md', 'utf8'), scenarios);
      const named = [...rows('Faults'), ...rows('Traps')].flatMap((cells) => {
        return [...(cells.at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      });
      expect(named.length).toBeGreaterThan(faults);
      expect(named.filter((name) => !listed.includes(`| \`${name}\``))).toEqual([]);
    });
  });
}

function sectionOf(page: string, heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}
