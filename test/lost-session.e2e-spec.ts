import { startTestApp, type TestApp } from './app.js';

/** More than the pool has connections. */
const LOSSES = 25;

describe('a database session that is lost within a transaction', () => {
  let tidemark: TestApp;

  beforeAll(async () => {
    tidemark = await startTestApp();
  });
  // Stopping waits until every connection was given back.
  afterAll(() => tidemark.stop());

  const lose = () =>
    tidemark.em().transactional(async (em) => {
      const [session] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
      await tidemark.em().execute('select pg_terminate_backend(?, 5000)', [session!.pid]);
      await em.execute('select 1');
    });

  it('is a failure of that transaction, and no connection is lost with it', async () => {
    for (let loss = 0; loss < LOSSES; loss++) await expect(lose()).rejects.toThrow();
    expect(await tidemark.em().execute('select 1 as alive')).toEqual([{ alive: 1 }]);
  });
});
