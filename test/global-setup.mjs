import { execFileSync } from 'node:child_process';
import { register } from 'node:module';

// One throw-away PostgreSQL for the whole run, with the migrations in a template that every spec file clones.
// TEST_DATABASE_URL names a server to use instead; its user must be allowed to create databases.

export default async function setup() {
  // Some specs start the doors of the program as processes of their own.
  execFileSync(process.execPath, ['scripts/ensure-built.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  register('@swc-node/register/esm', import.meta.url);
  const { prepareCluster } = await import('./prepared-cluster.ts');
  const { prepareTemplate } = await import('./template.ts');
  const { startThrowawayPostgres } = await import('./throwaway-postgres.ts');
  globalThis.removeTestCluster = await prepareCluster();
  if (process.env.TEST_DATABASE_URL) {
    process.env.TIDEMARK_TEST_SERVER = JSON.stringify({ clientUrl: process.env.TEST_DATABASE_URL });
  } else {
    const { stop, host, port, user, dbName } = await startThrowawayPostgres('test');
    process.env.TIDEMARK_TEST_SERVER = JSON.stringify({ host, port, user, dbName });
    globalThis.stopTestServer = stop;
  }
  await prepareTemplate();
}
