import { RequestBudgetService } from '../src/connections/request-budget.service.js';
import { afterThisTest } from './support/after-this-test.js';
import { LOCAL_PROVIDER, startTestApp, type TestApp, TestClient } from './support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from './support/scripted-bank.js';
import { startScriptedUsProvider, wireAccount, wireSet } from './support/scripted-us-provider.js';
import { synced } from './support/syncs.js';

const LIMIT = { perDay: 24, perSync: 2 };
const PAGE = '<!DOCTYPE html><html><title>Attention required</title></html>';

describe('the request budget', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));
  beforeEach(() => bank.lists([wireAccount()]));

  const budgets = () => tidemark.app.get(RequestBudgetService);
  const show = async ({ id }: { id: string }) => (await client.get(`/api/v1/connections/${id}`)).body;
  const counted = async ({ id }: { id: string }) => {
    const rows = 'select 1 from provider_requests where connection_id = ?';
    return (await tidemark.em().getConnection().execute(rows, [id])).length;
  };

  it('is counted in the database before each request is sent, retries included', async () => {
    const connection = await connected(client, bank.token());
    const us = await startScriptedUsProvider();
    afterThisTest(us.server.stop);
    const key = { userId: client.userId, id: connection.id as string };
    const before = await counted(connection);
    const seen: number[] = [];
    us.server.play(async (_, index) => {
      seen.push((await counted(connection)) - before);
      return index < 3 ? { status: 503, body: PAGE } : { body: wireSet([wireAccount()]) };
    });
    await us.snapshot({ budget: budgets().open(key, LIMIT, true) });
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('does not begin anew on another instance or after a restart', async () => {
    const connection = await connected(client, bank.token());
    for (let sync = 0; sync < 5; sync++) await synced(client, connection.id);
    const { request_budget: budget } = await show(connection);
    expect(budget).toEqual({ limit: 24, remaining: 24 - (await counted(connection)), next_allowed_at: null });
    const restarted = await startTestApp(LOCAL_PROVIDER, tidemark.clock, tidemark.database);
    afterThisTest(restarted.stop);
    const there = new TestClient(restarted.url, client.userId, client.key);
    expect((await there.get(`/api/v1/connections/${connection.id}`)).body.request_budget).toEqual(budget);
  });

  it('is never overdrawn by two who take the last request at once', async () => {
    const connection = await connected(client, bank.token());
    const key = { userId: client.userId, id: connection.id as string };
    const limit = (await counted(connection)) + 1;
    const takers = [1, 2, 3, 4].map(() => budgets().open(key, { perDay: limit, perSync: 2 }, true).spend());
    const taken = (await Promise.allSettled(takers)).filter(({ status }) => status === 'fulfilled');
    expect([taken.length, await counted(connection)]).toEqual([1, limit]);
  });

  it('leaves a few requests of the day to the person', async () => {
    const connection = await connected(client, bank.token());
    const key = { userId: client.userId, id: connection.id as string };
    const spend = (isManual: boolean) => budgets().open(key, LIMIT, isManual).spend();
    while ((await counted(connection)) < 18) await spend(false);
    await expect(spend(false)).rejects.toMatchObject({ kind: 'rate_limited' });
    await spend(true);
    expect((await show(connection)).request_budget.remaining).toBe(5);
  });

  it('of a few requests a day is kept by the schedule, too', async () => {
    const connection = await connected(client, bank.token());
    const key = { userId: client.userId, id: connection.id as string };
    const perSync = (await counted(connection)) + 1;
    const spend = () => budgets().open(key, { perDay: perSync, perSync }, false).spend();
    await spend();
    await expect(spend()).rejects.toMatchObject({ kind: 'rate_limited' });
  });

  it('asks nothing for a connection that is gone', async () => {
    const connection = await connected(client, bank.token());
    await client.delete(`/api/v1/connections/${connection.id}`);
    const key = { userId: client.userId, id: connection.id as string };
    const spend = budgets().open(key, LIMIT, true).spend();
    await expect(spend).rejects.toMatchObject({ name: 'ConnectionRemovedError' });
  });
});
