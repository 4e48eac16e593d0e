import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { register } from 'node:module';

// One throw-away PostgreSQL for the whole run, with the migrations in a template that every spec file clones.
// TEST_DATABASE_URL names a server to use instead; its user must be allowed to create databases.

const IN_MEMORY = '/dev/shm';
/** Ten times what a run has there at once. */
const PLENTY_BYTES = 4 * 2 ** 30;

export default async function setup() {
  // Each of the two keeps one core busy.
  const [, distribute] = await Promise.all([build(), prepareDatabases()]);
  await distribute();
}

/** Some specs start the entry points of the program as processes of their own. */
async function build() {
  const builder = spawn(process.execPath, ['scripts/ensure-built.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(builder, 'close');
  if (code !== 0) throw new Error('The program could not be built.');
}

/** @returns {Promise<() => Promise<void>>} what is left to do with the built program */
async function prepareDatabases() {
  register('@swc-node/register/esm', import.meta.url);
  const { prepareCluster } = await import('../support/prepared-cluster.ts');
  const { prepareTemplate, distributeTemplate } = await import('../support/template.ts');
  const { startThrowawayPostgres } = await import('../support/throwaway-postgres.ts');
  // Hundreds of databases come and go: in memory, where there is room.
  if (await hasPlenty(IN_MEMORY)) process.env.TMPDIR = IN_MEMORY;
  globalThis.removeTestCluster = await prepareCluster();
  if (process.env.TEST_DATABASE_URL) {
    process.env.TIDEMARK_TEST_SERVER = JSON.stringify({ clientUrl: process.env.TEST_DATABASE_URL });
  } else {
    const { stop, host, port, user, dbName } = await startThrowawayPostgres('test');
    process.env.TIDEMARK_TEST_SERVER = JSON.stringify({ host, port, user, dbName });
    globalThis.stopTestServer = stop;
  }
  await prepareTemplate();
  return distributeTemplate;
}

/** @param {string} folder @returns {Promise<boolean>} */
async function hasPlenty(folder) {
  const found = await statfs(folder).catch(() => null);
  return found !== null && found.bavail * found.bsize >= PLENTY_BYTES;
}
