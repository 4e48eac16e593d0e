import { execFileSync } from 'node:child_process';
import { register } from 'node:module';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// One throw-away PostgreSQL for the whole run, with the migrations in a template that every spec file clones.
// TEST_DATABASE_URL names a server to use instead; its user must be allowed to create databases.

export default async function setup() {
  // Some specs start the doors of the program as processes of their own.
  execFileSync(process.execPath, ['scripts/ensure-built.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  register('@swc-node/register/esm', import.meta.url);
  const { prepareTemplate } = await import('./template.ts');
  const { startEmbeddedPostgres } = await import('../src/database/embedded/embedded-postgres.ts');
  let server = null;
  if (process.env.TEST_DATABASE_URL) {
    process.env.TIDEMARK_TEST_SERVER = JSON.stringify({ clientUrl: process.env.TEST_DATABASE_URL });
  } else {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
    server = await startEmbeddedPostgres({ dataDir: folder, durable: false });
    const { host, port, user, dbName } = server;
    process.env.TIDEMARK_TEST_SERVER = JSON.stringify({ host, port, user, dbName });
    globalThis.tidemarkTestServer = { stop: () => server.stop(), folder };
  }
  await prepareTemplate();
}
