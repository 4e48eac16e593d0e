import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { firstFailure, replayCommand } from './failure.js';
import { STATED_SEED } from './seed.js';
import { specFiles, suitesWithProperties } from './suites.js';

const DRAWN =
  'Property failed after 75 tests\n{ seed: -555, path: "74:35:3", endOnFailure: true }\nCounterexample: [1]';

describe('properties in npm test', () => {
  it('property tests draw the same examples in every run of npm test', () => {
    const draw = () => fc.sample(fc.integer(), 5);
    if (!process.env.PROPERTY_RUN) expect(fc.readConfigureGlobal().seed).toBe(STATED_SEED);
    expect(draw()).toEqual(draw());
  });

  it('every suite that imports fast-check uses the shared properties', () => {
    expect(suitesWithProperties(['engine/rules'])).toEqual(['src/balances/engine/rules.spec.ts']);
    const chance = /Math\.random\(|randomInt\(/;
    const own = specFiles().filter((path) => chance.test(readFileSync(path, 'utf8').replace(String(chance), '')));
    expect(own).toEqual([]);
  });
});

describe('npm run properties', () => {
  const suite = { name: 'src/a.spec.ts', message: 'cannot find b.js', status: 'failed', assertionResults: [] };
  const passed = { status: 'passed', fullName: 'is kept', failureMessages: [] };

  it('npm run properties says how to reproduce a failed example', () => {
    const failed = { status: 'failed', fullName: `the bank's rows are kept`, failureMessages: [DRAWN] };
    const failure = firstFailure({ testResults: [{ ...suite, assertionResults: [passed, failed] }] }, 7)!;
    expect(failure).toMatchObject({ test: `the bank's rows are kept`, seed: -555, path: '74:35:3', message: DRAWN });
    expect(replayCommand(failure)).toBe(
      `npm run properties -- --seed -555 src/a.spec.ts --test 'the bank'\\''s rows are kept'`,
    );
  });

  it('npm run properties names the seed of the round if a suite does not run at all', () => {
    const failure = firstFailure({ testResults: [suite] }, 7)!;
    expect(failure).toMatchObject({ test: null, seed: 7, path: null, message: 'cannot find b.js' });
    expect(replayCommand(failure)).toBe('npm run properties -- --seed 7 src/a.spec.ts');
  });

  it('npm run properties continues while every suite passes', () => {
    expect(firstFailure({ testResults: [{ ...suite, status: 'passed', assertionResults: [passed] }] }, 7)).toBeNull();
  });
});
