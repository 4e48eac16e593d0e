import { readFileSync } from 'node:fs';
import { scenarioOfCode } from '../../scenario-code.js';
import { SCENARIOS } from './scenarios.js';

const page = readFileSync(new URL('../../../docs/use/sandbox.md', import.meta.url), 'utf8');
const section = page.split('\n## Scenarios of the global provider\n')[1]?.split('\n## ')[0] ?? '';

describe('the scenarios of the global provider', () => {
  it('each scenario of the global sandbox has a name of its own, which an API key can carry', () => {
    const names = SCENARIOS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.map((name) => scenarioOfCode(`${name}-k3j2`))).toEqual(names);
  });

  it('the documentation lists all scenarios of the global sandbox in the same words and order', () => {
    const rows = [...section.matchAll(/^\| `([a-z0-9-]+)` +\| (.+?) +\|$/gm)].map(([, name, plays]) => ({
      name,
      plays,
    }));
    expect(rows).toEqual(SCENARIOS.map(({ name, plays }) => ({ name, plays })));
  });
});
