import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import {
  type Person,
  startTidemark,
  type TestAnswer,
  TEST_ENVIRONMENT,
  type Tidemark,
} from '../../../src/kit/testing.js';
import { readConfig } from '../../../src/platform/config/config.js';
import { withPlainSession } from '../../../src/database/plain-session.js';
import { takeOut, tablesOf } from '../../../src/operate/cli/modules.command.js';
import { migrate } from '../../../src/database/migrate.js';
import { PROVIDERS } from '../../../src/providers/installed.js';
import { afterThisTest } from '../../support/after-this-test.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { throwawayFolder } from '../../support/throwaway-folder.js';
import { declaredColumns, storedColumns } from '../../support/entity-columns.js';
import { MODULES } from '../../../src/modules.js';
import { savingsGoals } from './savings-goals.js';

const PATH = '/api/v1/savings_goals';
/** Outside of this folder, a new module is one more name in `src/modules.ts`. */
const WITH_GOALS = [...MODULES, savingsGoals];

describe('a module that an installation adds', () => {
  let tidemark: Tidemark;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    tidemark = await startTidemark([savingsGoals], { database: database.address });
  });
  afterAll(async () => {
    await tidemark.stop();
    await database.drop();
  });

  /** A person with an account of $1,250.00. */
  async function personWithAccount(): Promise<{ client: Person; accountId: string }> {
    const client = await tidemark.person();
    const [accountId] = await tidemark.bank(client, [{ name: 'Savings', balance: 1_250_00 }]);
    return { client, accountId: accountId! };
  }

  it('does not start with a table in personalData that it does not have', async () => {
    const misspelled = { ...savingsGoals, personalData: [{ type: 'savings_goal', table: 'savings_goal' }] };
    const message = 'The module savings-goals has no entity of the table savings_goal in personalData.';
    await expect(startTidemark([misspelled], { database: database.address })).rejects.toMatchObject({
      message,
      exitCode: 78,
    });
  });

  it('does not start with a table of people that is in no export', async () => {
    const forgetful = { ...savingsGoals, personalData: [] };
    const message = 'The table savings_goals has rows of people and is neither in personalData nor in notExported.';
    await expect(startTidemark([forgetful], { database: database.address })).rejects.toMatchObject({
      message,
      exitCode: 78,
    });
  });

  it('sets goals, and shows what the newest balance lacks', async () => {
    const { client, accountId } = await personWithAccount();
    const roof = { account_id: accountId, name: 'Roof', target_cents: 5_000_00, due_on: '2027-06-30' };
    const { status, body } = await client.post(PATH, roof);
    expect(status).toBe(201);
    await client.post(PATH, { account_id: accountId, name: 'Bicycle', target_cents: 900_00 });
    expect((await client.get(PATH)).body).toEqual({
      savings_goals: [
        expect.objectContaining({ name: 'Bicycle', target: '$900.00', missing_cents: 0, due_on: null }),
        {
          id: body.id,
          account_id: accountId,
          name: 'Roof',
          currency: 'USD',
          target: '$5,000.00',
          target_cents: 5_000_00,
          missing_cents: 3_750_00,
          due_on: '2027-06-30',
          state: 'open',
        },
      ],
      pagination: { page: 1, per_page: 25, total_count: 2, total_pages: 1 },
    });
    expect((await client.delete(`${PATH}/${body.id}`)).status).toBe(204);
    expect((await client.delete(`${PATH}/${body.id}`)).status).toBe(404);
    expect((await client.get(`${PATH}?per_page=1`)).body.pagination).toMatchObject({ total_count: 1, total_pages: 1 });
  });

  it('answers 304 for as long as no goal changes', async () => {
    const { client, accountId } = await personWithAccount();
    const empty = await client.get(PATH);
    const revalidate = async ({ headers }: TestAnswer) => client.get(PATH, { 'If-None-Match': headers.get('etag')! });
    expect((await revalidate(empty)).status).toBe(304);
    const { body } = await client.post(PATH, { account_id: accountId, name: 'Roof', target_cents: 1 });
    const one = await revalidate(empty);
    expect([one.status, one.body.savings_goals.length, (await revalidate(one)).status]).toEqual([200, 1, 304]);
    await client.delete(`${PATH}/${body.id}`);
    expect((await revalidate(one)).body.savings_goals).toEqual([]);
  });

  it('refuses what is wrong with all problems, and other people’s accounts as unknown', async () => {
    const { client, accountId } = await personWithAccount();
    const stranger = await tidemark.person();
    const wrong = await client.post(PATH, { account_id: 'x', name: ' ', target_cents: 0.5, due_on: '2027-02-30' });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      [
        'account_id must be a valid UUID',
        'name must have 1 to 200 characters',
        'target_cents must be a whole number from 1 to 9007199254740991',
        'due_on must be a date (YYYY-MM-DD)',
      ],
    ]);
    expect((await stranger.post(PATH, { account_id: accountId, name: 'Roof', target_cents: 1 })).status).toBe(404);
    const { body } = await client.post(PATH, { account_id: accountId, name: 'Roof', target_cents: 1 });
    expect((await stranger.delete(`${PATH}/${body.id}`)).status).toBe(404);
    expect((await stranger.get(PATH)).body.savings_goals).toEqual([]);
  });

  it('is guarded by its scopes', async () => {
    const client = await tidemark.person({ scopes: ['goals:read'] });
    const goal = { account_id: client.userId, name: 'Roof', target_cents: 1 };
    expect([(await client.get(PATH)).status, (await client.post(PATH, goal)).status]).toEqual([200, 403]);
    expect((await fetch(tidemark.url + PATH)).status).toBe(401);
  });

  it('counts what a caller can create, also in parallel', async () => {
    const { client, accountId } = await personWithAccount();
    const goal = { account_id: accountId, name: 'Roof', target_cents: 1 };
    const answers = await Promise.all(Array.from({ length: 25 }, () => client.post(PATH, goal)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
  });

  it('is set and removed on its page, which shows a wrong form again', async () => {
    const { client, accountId } = await personWithAccount();
    const browser = await tidemark.browser(client);
    expect((await browser.get('/')).html).toContain('href="/goals"');
    const wrong = await browser.submit('/goals', { account_id: accountId, name: 'Roof', target: 'much', due_on: '' });
    expect([wrong.status, wrong.text]).toEqual([
      422,
      expect.stringContaining('Enter an amount such as 5000 or 49.90.'),
    ]);
    const set = await browser.submit('/goals', { account_id: accountId, name: 'Roof', target: '5000', due_on: '' });
    const page = await browser.follow(set);
    expect(page.text).toContain('Roof $5,000.00 $3,750.00 missing');
    const [remove] = /\/goals\/[\da-f-]{36}\/remove/.exec(page.html)!;
    expect((await browser.follow(await browser.submit(remove, {}, '/goals'))).text).not.toContain('Roof');
  });

  it('is missed the day after its last day, which the overview says and a sync still can mend', async () => {
    const { client, accountId } = await personWithAccount();
    await client.post(PATH, { account_id: accountId, name: 'Roof', target_cents: 5_000_00, due_on: '2026-03-20' });
    const state = async () => (await client.get(PATH)).body.savings_goals[0].state;
    await tidemark.run('missed-goals');
    expect(await state()).toBe('open');
    tidemark.clock.set('2026-03-22T12:00:00Z');
    await tidemark.run('missed-goals');
    expect(await state()).toBe('missed');
    const browser = await tidemark.browser(client);
    expect((await browser.get('/')).text).toContain('Savings goals that were not reached in time: 1.');
    await tidemark.bank(client, [{ name: 'Savings', balance: 9_000_00 }]);
    await tidemark.settle();
    expect(await state()).toBe('reached');
    tidemark.clock.set('2026-03-15T12:00:00Z');
  });

  it('is in the change feed, and is what an assistant may read', async () => {
    const { client, accountId } = await personWithAccount();
    const { body } = await client.post(PATH, { account_id: accountId, name: 'Roof', target_cents: 1 });
    const { changes } = (await client.get('/api/v1/changes?types=savings_goals')).body;
    expect(changes).toMatchObject([{ type: 'savings_goals', ids: [body.id], records: [{ name: 'Roof' }] }]);
    expect(await tidemark.tool(client, 'list_savings_goals')).toMatchObject({ savings_goals: [{ name: 'Roof' }] });
  });

  it('is gone from the change feed with its account, and with a connection that is removed with its accounts', async () => {
    const { client, accountId } = await personWithAccount();
    const setGoal = async (account_id: string): Promise<string> =>
      (await client.post(PATH, { account_id, name: 'Roof', target_cents: 1 })).body.id;
    const ids = [await setGoal(accountId)];
    const { cursor } = (await client.get('/api/v1/changes?cursor=latest&types=savings_goals')).body;
    expect((await client.delete(`/api/v1/accounts/${accountId}`)).status).toBe(204);
    const [otherId] = await tidemark.bank(client, [{ name: 'Checking', balance: 1_250_00 }]);
    ids.push(await setGoal(otherId!));
    const { connections } = (await client.get('/api/v1/connections')).body;
    expect((await client.delete(`/api/v1/connections/${connections[0].id}?purge=true`)).status).toBe(204);
    const { changes } = (await client.get(`/api/v1/changes?cursor=${cursor}&types=savings_goals`)).body;
    expect(changes).toEqual([{ type: 'savings_goals', ids: expect.arrayContaining(ids), records: [] }]);
  });

  it('is listed by a command', async () => {
    const { client, accountId } = await personWithAccount();
    await client.post(PATH, { account_id: accountId, name: 'Roof', target_cents: 1 });
    const list = (email: string) => tidemark.command('goals:list', { email });
    expect(await list(client.email)).toMatchObject({ savings_goals: [{ name: 'Roof' }] });
    await expect(list('nobody')).rejects.toThrow('There is no user with the e-mail address nobody.');
  });

  it('is part of the document, of the export and of deletion', async () => {
    const { client, accountId } = await personWithAccount();
    const { body } = await client.post(PATH, { account_id: accountId, name: 'Roof', target_cents: 1 });
    const document = (await (await fetch(`${tidemark.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { tags: string[] }>>;
      tags: { name: string }[];
    };
    expect(document.paths[PATH]!.post!.tags).toEqual(['Savings goals']);
    expect(document.tags.map(({ name }) => name)).toContain('Savings goals');
    const exported = await tidemark.exported(client);
    expect(exported.filter(({ type }) => type === 'savings_goal')).toMatchObject([{ id: body.id, name: 'Roof' }]);
    await tidemark.em().execute('delete from users where id = ?', [client.userId]);
    expect(await tidemark.em().execute('select from savings_goals where user_id = ?', [client.userId])).toEqual([]);
  });

  it('keeps the goals of an account that is merged into another', async () => {
    const { client, accountId } = await personWithAccount();
    const [otherId = ''] = await tidemark.bank(client, [{ name: 'Savings again', balance: 1_250_00 }]);
    await client.post(PATH, { account_id: accountId, name: 'Bicycle', target_cents: 1 });
    await client.post(PATH, { account_id: otherId, name: 'Roof', target_cents: 1 });
    await tidemark.merge(client, otherId, accountId);
    expect((await client.get(PATH)).body.savings_goals).toMatchObject([
      { name: 'Bicycle', account_id: accountId },
      { name: 'Roof', account_id: accountId },
    ]);
  });

  it('has entities that fit its migrations', async () => {
    const orm = tidemark.app.get(MikroORM);
    for (const { name } of savingsGoals.entities!) {
      const meta = orm.getMetadata().getByClassName(name);
      expect(declaredColumns(meta)).toEqual(await storedColumns(orm.em, meta.tableName));
    }
  });

  it('keeps a program without it from starting, and names itself in the error', async () => {
    const config = readConfig(PROVIDERS, MODULES, {}, TEST_ENVIRONMENT);
    const other = await createTestDatabase();
    afterThisTest(() => other.drop());
    await migrate(other.address, config.database, { modules: WITH_GOALS });
    await expect(migrate(other.address, config.database, { modules: MODULES })).rejects.toThrow(
      'The database was changed by the module "savings-goals" (Migration20261201000000SavingsGoals), which is not ' +
        'installed here: add it to src/modules.ts or tidemark.config.mjs again, or take its tables out with ' +
        'modules:remove while it is listed, or restore a backup of this one into an empty database.',
    );
  });

  it('is removed with its rows in a file, and then a program without it starts', async () => {
    const config = readConfig(PROVIDERS, MODULES, {}, TEST_ENVIRONMENT);
    const other = await createTestDatabase();
    afterThisTest(() => other.drop());
    await migrate(other.address, config.database, { modules: WITH_GOALS });
    const file = join(await throwawayFolder('removed'), 'goals.ndjson');
    const tables = tablesOf(savingsGoals, other.address, config.database);
    const removed = withPlainSession(other.address, config.database, async (session) => {
      await session.query(`
        with person as (insert into users (id, email, password_hash) values (gen_random_uuid(), 'ann@example.com', '') returning id),
        account as (
          insert into accounts (user_id, id, provider, external_id, name) select id, id, 'own', 'A', 'A' from person returning user_id
        )
        insert into savings_goals (user_id, id, account_id, name, target_minor, currency, state, created_at)
        select id, id, id, 'Roof', 1, 'USD', 'open', now() from person`);
      return takeOut(session, savingsGoals, tables, file);
    });
    expect(await removed).toMatchObject({ module: 'savings-goals', tables: ['savings_goals'], rows: 1 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ table: 'savings_goals', row: { name: 'Roof' } });
    await migrate(other.address, config.database, { modules: MODULES });
  });
});
