import { spawn } from 'node:child_process';
import { Running } from '../../../test/support/run-process.js';

describe('the deadline of a provider request', () => {
  it('the deadline of a provider request still expires after garbage collections', async () => {
    const flags = ['--expose-gc', '--no-warnings', '--import', '@swc-node/register/esm-register'];
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [...flags, 'test/support/garbage-collected-deadline.ts'], {
      env: { PATH, HOME },
    });
    const { stdout, stderr } = await new Running(child).finished;
    expect(stdout + stderr).toBe('The provider did not answer within 1 s.\n');
  });
});
