import { afterThisTest } from '../support/after-this-test.js';
import { send } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { start } from '../support/run-process.js';

describe('npm start', () => {
  it('npm start serves the build, logs its address, and exits with 0 at SIGTERM', async () => {
    const database = await createTestDatabase();
    afterThisTest(() => database.drop());
    const secret = 'a root secret for a test of the start';
    const service = start('main', [], { DATABASE_URL: database.url, APP_SECRET: secret, PORT: '0', SYNC_CRON: 'off' });
    afterThisTest(() => service.child.kill('SIGKILL'));
    const [, url] = await service.line(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
    expect((await send(`${url}/health/ready`)).body).toEqual({ status: 'ok' });
    expect((await send(`${url}/openapi.json`)).body).toMatchObject({ openapi: '3.0.3', info: { version: 'v1' } });
    service.child.kill('SIGTERM');
    expect((await service.finished).code).toBe(0);
  });
});
