import { LOCAL_PROVIDER, startTestApp, type TestApp, TestClient } from './support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from './support/scripted-bank.js';
import { startScriptedServer } from './support/scripted-server.js';
import { wireAccount } from './support/scripted-us-provider.js';
import { until } from './support/syncs.js';

describe('connecting banks', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));
  beforeEach(() => bank.lists([wireAccount()]));

  const claims = () => bank.server.requests.filter(({ path }) => path.startsWith('/claim/')).length;
  const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

  describe('at two instances', () => {
    let other: TestApp;
    let otherClient: TestClient;

    beforeEach(async () => {
      other = await startTestApp(LOCAL_PROVIDER, tidemark.clock, tidemark.database);
      otherClient = new TestClient(other.url, client.userId, client.key);
    });
    afterEach(() => other.stop());

    it('spends one setup token once, however many clicks there are', async () => {
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

    it('lets a token be pasted at the other one when the provider had not been reached', async () => {
      const body = {
        provider: 'us_provider',
        setup_token: Buffer.from('http://127.0.0.1:1/claim/x').toString('base64'),
      };
      expect((await client.post('/api/v1/connections', body)).status).toBe(502);
      expect((await otherClient.post('/api/v1/connections', body)).status).toBe(502);
    });

    it('keeps a removed connection from being in the way', async () => {
      const token = bank.token();
      const { id } = await connected(client, token);
      await client.delete(`/api/v1/connections/${id}`);
      // The provider is asked again, and refuses a token that is spent.
      const again = await otherClient.post('/api/v1/connections', { provider: 'us_provider', setup_token: token });
      expect(again.status).toBe(502);
    });
  });

  it('refuses one more than a person may have, before a token is spent', async () => {
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

  it('refuses one more than a key may connect at a time, and counts them off', async () => {
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
