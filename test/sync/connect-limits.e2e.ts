import { RequestBudgetService } from '../../src/sync/connections/request-budget.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { LOCAL_PROVIDER, startTestApp, type TestApp, TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { startScriptedServer } from '../support/scripted-server.js';
import { startScriptedUsProvider, wireAccount, wireSet } from '../support/scripted-us-provider.js';
import { synced, until } from '../support/syncs.js';

const LIMIT = { perDay: 24, perSync: 2 };
const PAGE = '<!DOCTYPE html><html><title>Attention required</title></html>';

describe('limits of requests to providers', () => {
  let tidemark: TestApp;
  /** Another instance on the same database. */
  let other: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;

  afterAll(() => other.stop());
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));
  beforeEach(async () => {
    other ??= await startTestApp(LOCAL_PROVIDER, tidemark.clock, tidemark.database);
    bank.lists([wireAccount()]);
  });

  describe('the request budget', () => {
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

    it('the request budget is the same at another instance', async () => {
      const connection = await connected(client, bank.token());
      for (let sync = 0; sync < 2; sync++) await synced(client, connection.id);
      const { request_budget: budget } = await show(connection);
      expect(budget).toEqual({ limit: 24, remaining: 24 - (await counted(connection)), next_allowed_at: null });
      const there = new TestClient(other.url, client.userId, client.key);
      expect((await there.get(`/api/v1/connections/${connection.id}`)).body.request_budget).toEqual(budget);
    });

    it('the request budget is never overdrawn by requests that take its last place at once', async () => {
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

    it('a request budget of a few requests a day is kept by the schedule, too', async () => {
      const connection = await connected(client, bank.token());
      const key = { userId: client.userId, id: connection.id as string };
      const perSync = (await counted(connection)) + 1;
      const spend = () => budgets().open(key, { perDay: perSync, perSync }, false).spend();
      await spend();
      await expect(spend()).rejects.toMatchObject({ kind: 'rate_limited' });
    });

    it('the request budget gives no request to a connection that is gone', async () => {
      const connection = await connected(client, bank.token());
      await client.delete(`/api/v1/connections/${connection.id}`);
      const key = { userId: client.userId, id: connection.id as string };
      const spend = budgets().open(key, LIMIT, true).spend();
      await expect(spend).rejects.toMatchObject({ code: 'record_not_found' });
    });
  });

  describe('connecting banks', () => {
    const claims = () => bank.server.requests.filter(({ path }) => path.startsWith('/claim/')).length;
    const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

    describe('at two instances', () => {
      let otherClient: TestClient;

      beforeEach(() => (otherClient = new TestClient(other.url, client.userId, client.key)));

      it('connecting at two instances spends one setup token once, however many clicks there are', async () => {
        const body = { provider: 'us_provider', setup_token: bank.token() };
        const spent = claims();
        const answers = await Promise.all(
          [client, otherClient, client, otherClient].map((one) => one.post('/api/v1/connections', body)),
        );
        expect(statuses(answers)).toEqual([201, 409, 409, 409]);
        // Nor does one that comes when all is done.
        for (const late of [client, otherClient]) {
          const { status, body: refusal } = await late.post('/api/v1/connections', body);
          expect([status, refusal.message]).toEqual([409, expect.stringMatching(/already connected as “/)]);
        }
        expect(claims() - spent).toBe(1);
      });

      it('a setup token can be pasted at another instance when the provider was not reached', async () => {
        const body = {
          provider: 'us_provider',
          setup_token: Buffer.from('http://127.0.0.1:1/claim/x').toString('base64'),
        };
        expect((await client.post('/api/v1/connections', body)).status).toBe(502);
        expect((await otherClient.post('/api/v1/connections', body)).status).toBe(502);
      });

      it('a setup token of a removed connection is tried again at another instance', async () => {
        const token = bank.token();
        const { id } = await connected(client, token);
        await client.delete(`/api/v1/connections/${id}`);
        // The provider is asked again, and refuses a token that is spent.
        const again = await otherClient.post('/api/v1/connections', { provider: 'us_provider', setup_token: token });
        expect(again.status).toBe(502);
      });
    });

    it('one more connection than a person may have is refused before its setup token is spent', async () => {
      const limited = await startTestApp(
        { ...LOCAL_PROVIDER, MAX_CONNECTIONS_PER_PERSON: '1' },
        tidemark.clock,
        tidemark.database,
      );
      try {
        await connected(client, bank.token());
        const spent = claims();
        const strict = new TestClient(limited.url, client.userId, client.key);
        const body = { provider: 'us_provider', setup_token: bank.token() };
        const { status, body: refusal } = await strict.post('/api/v1/connections', body);
        expect([status, refusal.message]).toEqual([409, expect.stringMatching(/^You have 1 connections, .* limit/)]);
        expect(claims()).toBe(spent);
      } finally {
        await limited.stop();
      }
    });

    it('one more bank than a key may connect at a time is refused, and allowed once the others are connected', async () => {
      const slow = await startScriptedServer();
      let answer = () => {};
      const answered = new Promise<void>((resolve) => (answer = resolve));
      slow.play(async ({ path }) => {
        await answered;
        return path.startsWith('/claim/') ? { body: bank.accessUrl(path.slice('/claim/'.length)) } : { status: 404 };
      });
      const connect = (user: number) => {
        const setup_token = Buffer.from(`${slow.url}/claim/${user}`).toString('base64');
        return client.post('/api/v1/connections', { provider: 'us_provider', setup_token });
      };
      const connecting = [1, 2, 3, 4].map(connect);
      try {
        await until(() => Promise.resolve(slow.requests.length === 4 || null), 'asked for four');
        const refused = await connect(5);
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
        expect(refused.body.message).toMatch(/may have 4 banks being connected at a time/);
      } finally {
        answer();
      }
      expect(statuses(await Promise.all(connecting))).toEqual([201, 201, 201, 201]);
      expect((await connect(6)).status).toBe(201);
      await slow.stop();
    });
  });
});
