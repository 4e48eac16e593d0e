import { readFileSync } from 'node:fs';
import { scenarioOfCode } from '../../scenario-code.js';
import { SCENARIOS } from './scenarios.js';

const page = readFileSync(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8');
const section = page.split('\n## Scenarios of the global provider\n')[1]?.split('\n## ')[0] ?? '';

describe('the scenarios of the global provider', () => {
  it('have names of their own, which a key can carry', () => {
    const names = SCENARIOS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.map((name) => scenarioOfCode(`${name}-k3j2`))).toEqual(names);
  });

  it('are all in the documentation, in these words and in this order', () => {
    const rows = [...section.matchAll(/^\| `([a-z0-9-]+)` +\| (.+?) +\|$/gm)].map(([, name, plays]) => ({
      name,
      plays,
    }));
    expect(rows).toEqual(SCENARIOS.map(({ name, plays }) => ({ name, plays })));
  });
});
