import { spawn } from 'node:child_process';
import { Running } from '../support/run-process.js';

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
});

describe('npm run figures', () => {
  it('npm run figures counts the source and the files of a sync and of a list', async () => {
    const script = ['--import', '@swc-node/register/esm-register', 'scripts/figures.ts'];
    const { code, stdout, stderr } = await new Running(spawn(process.execPath, script)).finished;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ *[1-9]\d+ {2}files that run while a sync brings a transaction$/m);
    expect(stdout).toMatch(/^ *[1-9]\d+ {2}files that run while a list shows it$/m);
  });
});
