import { scenarioOfCode } from '../../scenario-code.js';
import { SCENARIOS } from './scenarios.js';

describe('the scenarios of the US provider', () => {
  it('each scenario of the US sandbox has a name of its own, which a claim code can carry', () => {
    const names = SCENARIOS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.map((name) => scenarioOfCode(`${name}-k3j2`))).toEqual(names);
  });
});
