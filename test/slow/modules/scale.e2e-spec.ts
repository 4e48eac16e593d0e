import { colocateByUser } from '../../../src/database/citus.js';
import { afterThisTest } from '../../support/after-this-test.js';
import { inSession } from '../../support/citus-nodes.js';
import { createTestDatabase, isOnCitus } from '../../support/database.js';
import { run } from '../../support/run-process.js';

const environment = (url: string) => ({ DATABASE_URL: url, APP_SECRET: 'a root secret for the tests of distribute' });

// On Citus the drill `citus` distributes a database that has rows.
(isOnCitus ? describe.skip : describe)('distribute command without the extension citus', () => {
  it('the distribute command says that the database does not have the extension citus', async () => {
    const database = await createTestDatabase();
    afterThisTest(database.drop);
    expect(await run('cli', ['distribute'], environment(database.url))).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'The database does not have the extension citus: install it on every node, and see docs/inside/scaling.md.\n',
    });
  });

  it('migrations that colocate a table leave it unchanged without the extension citus', async () => {
    const database = await createTestDatabase();
    afterThisTest(database.drop);
    await inSession(database.url, async (session) => {
      await session.query('create table notes (user_id uuid primary key)');
      await session.query(colocateByUser('notes'));
      expect((await session.query('select from notes')).rowCount).toBe(0);
    });
  });
});
