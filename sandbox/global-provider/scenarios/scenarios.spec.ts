import { scenarioOfCode } from '../../scenario-code.js';
import { SCENARIOS } from './scenarios.js';

describe('the scenarios of the global provider', () => {
  it('each scenario of the global sandbox has a name of its own, which an API key can carry', () => {
    const names = SCENARIOS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.map((name) => scenarioOfCode(`${name}-k3j2`))).toEqual(names);
  });
});
