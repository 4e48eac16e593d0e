import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { firstFailure, replayCommand } from './properties/failure.js';
import { STATED_SEED } from './properties/seed.js';
import { specFiles, suitesWithProperties } from './properties/suites.js';
import { Running } from './support/run-process.js';

const DRAWN =
  'Property failed after 75 tests\n{ seed: -555, path: "74:35:3", endOnFailure: true }\nCounterexample: [1]';

describe('properties in npm test', () => {
  it('property tests draw the same examples in every run of npm test', () => {
    const draw = () => fc.sample(fc.integer(), 5);
    if (!process.env.PROPERTY_RUN) expect(fc.readConfigureGlobal().seed).toBe(STATED_SEED);
    expect(draw()).toEqual(draw());
  });

  it('every suite that imports fast-check uses the shared properties', () => {
    expect(suitesWithProperties(['balance-engine/rules'])).toEqual(['src/balance-engine/rules.spec.ts']);
    const chance = /Math\.random\(|randomInt\(/;
    const own = specFiles().filter((path) => chance.test(readFileSync(path, 'utf8').replace(String(chance), '')));
    expect(own).toEqual([]);
  });
});

describe('npm run properties', () => {
  /** With this process's own setting left out: a round may be trying this suite, too. */
  const properties = (...args: string[]) => {
    const script = ['--import', '@swc-node/register/esm-register', 'test/properties/run.ts'];
    const env = { ...process.env, PROPERTY_RUN: undefined };
    return new Running(spawn(process.execPath, [...script, ...args], { env })).finished;
  };

  it('npm run properties repeats whole rounds until its time is up and reports how many', async () => {
    const { code, stdout } = await properties('--minutes', '0', 'calendar-date');
    expect(stdout).toMatch(/^Round 1, seed \d+: \d+ examples/m);
    expect(stdout).toMatch(/^No counterexample in 1 rounds with \d{4} examples/m);
    expect(code).toBe(0);
  });

  it('npm run properties refuses a name that no suite with properties has', async () => {
    const { code, stderr } = await properties('boundaries');
    expect([code, stderr]).toEqual([2, 'No suite with properties has such a name.\n']);
  });

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
