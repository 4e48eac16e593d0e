import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { readLockFile } from '../../src/database/embedded/server.js';
import { afterThisTest } from '../support/after-this-test.js';
import { Running } from '../support/run-process.js';
import { until } from '../support/syncs.js';
import { startThrowawayPostgres } from '../support/throwaway-postgres.js';

const isGone = (folder: string) =>
  stat(folder).then(
    () => null,
    () => true,
  );

/** A process that starts one and never stops it. */
const OWNER = `
  const { startThrowawayPostgres } = await import('./test/support/throwaway-postgres.ts');
  const { folder } = await startThrowawayPostgres('killed');
  console.log('serving in ' + folder);
  setInterval(() => {}, 1000);`;

describe('temporary PostgreSQL of the tests', () => {
  it('the temporary PostgreSQL ends with its process, even a killed one, and leaves nothing behind', async () => {
    const args = ['--import', '@swc-node/register/esm-register', '--input-type=module', '-e', OWNER];
    const owner = new Running(spawn(process.execPath, args));
    afterThisTest(() => owner.child.kill('SIGKILL'));
    const [, folder = ''] = await owner.line(/serving in (.*)/);
    const server = await readLockFile(`${folder}/postgres`);
    expect(server).toMatchObject({ isReady: true });
    owner.child.kill('SIGKILL');
    await owner.finished;
    await until(() => isGone(folder), 'cleared up');
    expect(() => process.kill(server!.pid, 0)).toThrow('ESRCH');
  });

  it('the temporary PostgreSQL does not keep its process alive, and is deleted with its folder once stopped', async () => {
    const script = OWNER.replace('setInterval(() => {}, 1000);', '');
    const args = ['--import', '@swc-node/register/esm-register', '--input-type=module', '-e', script];
    const { code, stdout } = await new Running(spawn(process.execPath, args)).finished;
    expect(code).toBe(0);
    await until(() => isGone(/serving in (.*)/.exec(stdout)![1]!), 'cleared up');
    const stopped = await startThrowawayPostgres('stopped');
    await stopped.stop();
    expect(await isGone(stopped.folder)).toBe(true);
  });
});
