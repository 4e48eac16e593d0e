import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { SCOPES } from '../../src/auth/scopes.js';
import { sandboxBaseUrl } from '../../sandbox/global-provider/api-key.js';
import { RATES_PATH } from '../../sandbox/rates.js';
import { sandboxSetupToken } from '../../sandbox/us-provider/setup-token.js';
import { LOCAL_PROVIDER, startTestApp, StillClock, type TestApp, TestClient } from '../support/app.js';
import { freePort } from '../support/free-port.js';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.js';
import { ended, synced, until } from '../support/syncs.js';
import type { ThrowawayPostgres } from '../support/throwaway-postgres.js';
import { Visitor } from '../../src/kit/visitor.js';
import { FIRST_DAY, LAST_DAY, SECOND_DAY } from './normalize.js';
import { countIdsInDatabase } from './stable-ids.js';

const PERSON = { email: 'demo@tidemark.example', password: 'tidemark-demo' };

/** The household of the demo after three days with syncs, an account of each state, and a connection in trouble. */
export interface Scene {
  tidemark: TestApp;
  client: TestClient;
  /** May read balances only. */
  limited: TestClient;
  visitor: Visitor;
  /** Where the webhook goes. */
  receiver: ScriptedServer;
  /** Names for what the recording speaks of, by id. */
  names: Map<string, string>;
}

export async function startScene({ address, user, host, port, dbName }: ThrowawayPostgres): Promise<Scene> {
  const servicePort = await freePort();
  const settings = {
    ...LOCAL_PROVIDER,
    PORT: String(servicePort),
    SANDBOX: '1',
    GLOBALPROVIDER_INCLUDE_PENDING: '1',
    GLOBALPROVIDER_BASE_URL: sandboxBaseUrl(`http://127.0.0.1:${servicePort}`),
    RATES_URL: `http://127.0.0.1:${servicePort}${RATES_PATH}`,
  };
  const url = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${dbName}`;
  const database = { address, url, drop: () => Promise.resolve() };
  const tidemark = await startTestApp(settings, new StillClock(new Date(FIRST_DAY)), database);
  await countIdsInDatabase(tidemark.em());
  const receiver = await startScriptedServer();
  receiver.play({ status: 204 });

  const visitor = new Visitor(tidemark.url);
  await visitor.post('/sign-up', { ...PERSON, time_zone: 'UTC' });
  const [person]: { id: string }[] = await tidemark.em().execute('select id from users');
  const clientWith = async (name: string, scopes: typeof SCOPES | ['balances:read']) => {
    const options = { name, scopes: [...scopes], expiresAt: null };
    const { key } = await tidemark.app.get(ApiKeysService).create(person!.id, options);
    return new TestClient(tidemark.url, person!.id, key);
  };
  const client = await clientWith('Demo', SCOPES);
  const limited = await clientWith('Balances only', ['balances:read']);
  await live({ tidemark, client, receiver });
  const names = await namesOf(client, person!.id);
  return { tidemark, client, limited, visitor, receiver, names };
}

async function live({ tidemark, client, receiver }: Pick<Scene, 'tidemark' | 'client' | 'receiver'>): Promise<void> {
  const connect = async (request: object): Promise<string> => {
    const { status, body } = await client.post('/api/v1/connections', request);
    if (status !== 201) throw new Error(`not connected: ${JSON.stringify(body)}`);
    await ended(client, body.latest_sync_id);
    return body.id;
  };
  const usSecret = (scenario: string) => sandboxSetupToken(tidemark.url, scenario, 'recording');

  const elsewhere = await connect({
    provider: 'global_provider',
    api_key: 'account-elsewhere-recording',
    name: 'Old bank',
  });
  await client.delete(`/api/v1/connections/${elsewhere}`);
  const us = { provider: 'us_provider', setup_token: usSecret('healthy'), name: 'US bank' };
  const global = { provider: 'global_provider', api_key: 'healthy-recording', name: 'Global bank' };
  const healthy = [await connect(us), await connect(global)];
  const troubled = await connect({
    provider: 'us_provider',
    setup_token: usSecret('revoked-later'),
    name: 'Revoked bank',
  });

  // A sync changes things in several transactions: when they are sent, and in how many messages, depends on the moment.
  const hook = { url: `${receiver.url}/hook`, description: 'Syncs', event_types: ['sync.finished'] };
  await client.post('/api/v1/webhooks', hook);
  /** Nobody has something to do: modules have heard of all changes, and webhooks are sent. */
  const allSent = () =>
    until(async () => {
      const busy = await tidemark.em().execute(`
        select 1 from webhook_endpoints e join user_revisions known using (user_id)
        where e.status = 'enabled' and e.position < known.revision
        union all select 1 from webhook_deliveries where status = 'pending'
        union all select 1 from pgboss.job where name in ('module-events', 'webhooks') and state <= 'active'`);
      return busy.length === 0 || null;
    }, 'sent');
  for (const [day, ids] of [
    [SECOND_DAY, [...healthy, troubled]],
    [LAST_DAY, healthy],
  ] as const) {
    tidemark.clock.set(day);
    for (const id of ids) {
      await synced(client, id);
      await allSent();
    }
  }
  const { body: everything } = await client.post('/api/v1/webhooks', { url: `${receiver.url}/hook` });
  const { body } = await client.get('/api/v1/accounts?per_page=100');
  const idOf = (name: string): string =>
    body.accounts.find((account: { name: string }) => account.name.startsWith(name)).id;
  const edit = async (name: string, changes: object) => {
    await client.patch(`/api/v1/accounts/${idOf(name)}`, changes);
    await allSent();
  };
  const file = new File(['Date,Amount,Text\n2026-03-02,-12.50,Book\n2026-03-03,-9.00,Cinema'], 'march.csv');
  const read = await client.upload('/api/v1/imports', { account_id: idOf('Everyday Checking') }, file);
  if (read.status !== 201) throw new Error(`not read: ${JSON.stringify(read.body)}`);
  await edit('Everyday Checking', { name: 'Renamed account' });
  await edit('Rewards Visa', { closed_on: '2026-03-10' });
  await edit('Student Loan', { include_in_net_worth: false });
  await edit('Self-directed', { hidden: true });
  receiver.play({ status: 500, body: 'Out of order' });
  await client.post(`/api/v1/webhooks/${everything.id}/test`);
  await allSent();
}

/** Ids of accounts, connections and webhooks get names of their own; those of other records are counted in each file. */
async function namesOf(client: TestClient, userId: string): Promise<Map<string, string>> {
  const names = new Map([[userId, '<person>']]);
  for (const kind of ['connection', 'account', 'webhook']) {
    const list = `${kind}s`;
    const { body } = await client.get(`/api/v1/${list}?per_page=100`);
    const taken = new Map<string, number>();
    for (const { id, name, description, connection_id: connection } of body[list]) {
      const slug = String(name ?? description ?? '')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, ' ')
        .trim()
        .replaceAll(' ', '-');
      const origin = kind === 'account' ? (names.get(connection)?.replaceAll(/<connection-|>/g, '') ?? 'none') : '';
      const base = [kind, slug, origin].filter(Boolean).join('-');
      const count = (taken.get(base) ?? 0) + 1;
      taken.set(base, count);
      names.set(id, `<${base}${count > 1 ? `-${count}` : ''}>`);
    }
  }
  return names;
}
