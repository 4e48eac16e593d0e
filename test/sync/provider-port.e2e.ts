import type { SnapshotAccount } from '../../src/providers/bank-provider.js';
import { SessionsService } from '../../src/auth/sessions.service.js';
import { User } from '../../src/auth/user.entity.js';
import { createClient, send, StillClock, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { Visitor } from '../../src/kit/visitor.js';
import { balance, snapshotAccount, transaction } from '../support/factories.js';
import { PlayedProvider, playedProvider } from '../support/played-provider.js';
import { ended, synced } from '../support/syncs.js';

const [COFFEE, RENT] = [
  transaction('2026-03-10', -4_50, { externalId: 'coffee', description: 'Coffee' }),
  transaction('2026-03-01', -900_00, { externalId: 'rent', description: 'Rent' }),
];
const HELD = transaction('2026-03-14', -30_00, { externalId: 'held', description: 'Fuel', pending: true });
const ACCOUNT = snapshotAccount({ externalId: 'A', balance: balance(1_000_00) });

let tidemark: TestApp;
let provider: PlayedProvider;
let client: TestClient;
let connection: { id: string };
let minutes = 0;

beforeAll(async () => {
  tidemark = await startTestApp({}, new StillClock(), undefined, [playedProvider]);
  provider = tidemark.app.get(PlayedProvider, { strict: false });
});
afterAll(() => tidemark.stop());

const later = (by = 1) => tidemark.clock.set(new Date(Date.UTC(2026, 2, 15, 12, (minutes += by))).toISOString());
const lastCursor = () => provider.requests.at(-1)!.cursor;

/** A new person, and the first sync of their connection. */
async function connect(): Promise<void> {
  client = await createClient(tidemark);
  const body = { provider: playedProvider.name, access_token: 'token', history_days: 30 };
  const { body: made } = await client.post('/api/v1/connections', body);
  connection = made;
  await ended(client, made.latest_sync_id);
  later();
}

describe('a provider that answers with changes since a cursor', () => {
  /** By the cursor that is asked with: the answer, with the cursor after it. */
  const plays = (answers: Record<string, [Partial<SnapshotAccount>, string]>) => {
    provider.play = ({ cursor }) => {
      const [account, next] = answers[cursor ?? 'beginning']!;
      return { accounts: [{ ...ACCOUNT, ...account }], cursor: next };
    };
  };
  const listed = async () => {
    const { transactions } = (await client.get('/api/v1/transactions?sort=date')).body;
    return transactions.map(({ description, pending }: { description: string; pending: boolean }) =>
      pending ? `${description}?` : description,
    );
  };

  beforeEach(async () => {
    plays({ beginning: [{ transactions: [COFFEE, RENT, HELD] }, 'c1'] });
    await connect();
  });

  it('adds, changes, posts and withdraws what the changes name, and leaves the rest', async () => {
    expect(await listed()).toEqual(['Rent', 'Coffee', 'Fuel?']);
    const posted = transaction('2026-03-15', -41_30, {
      externalId: 'posted',
      description: 'SHELL 0442',
      pendingId: 'held',
    });
    plays({ c1: [{ removed: ['coffee'], transactions: [posted, { ...RENT, amountMinor: -950_00 }] }, 'c2'] });
    const run = await synced(client, connection.id);
    expect(run.counts).toMatchObject({ transactions_added: 0, transactions_updated: 2, transactions_removed: 1 });
    expect(await listed()).toEqual(['Rent', 'SHELL 0442']);
    plays({ c2: [{ removed: [] }, 'c3'] });
    expect((await synced(client, connection.id)).counts).toMatchObject({
      transactions_updated: 0,
      transactions_removed: 0,
    });
    expect(await listed()).toEqual(['Rent', 'SHELL 0442']);
    expect((await client.get(`/api/v1/connections/${connection.id}`)).body.staleness.level).toBe('fresh');
  });

  it('asks for the same changes again after a crash between the rows and the end of the sync, and counts none twice', async () => {
    const { removed, transactions } = { removed: ['coffee'], transactions: [transaction('2026-03-15', -1_00)] };
    plays({ c1: [{ removed, transactions }, 'c2'] });
    await tidemark.em().execute(`alter table connections add constraint crash check (cursor <> 'c2') not valid`);
    expect(await synced(client, connection.id)).toMatchObject({ status: 'failed', counts: { transactions_added: 1 } });
    await tidemark.em().execute('alter table connections drop constraint crash');
    const again = await synced(client, connection.id);
    expect(lastCursor()).toBe('c1');
    expect(again).toMatchObject({ status: 'succeeded', counts: { transactions_added: 0, transactions_removed: 0 } });
    expect(await listed()).toEqual(['Rent', 'Fuel?', 'Shop']);
    plays({ c2: [{ removed: [] }, 'c2'] });
    expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
  });

  it('asks for the same changes again while one of them cannot be stored or read', async () => {
    plays({ c1: [{ removed: [], unreadableRows: 1 }, 'c2'] });
    for (let times = 0; times < 2; times++) {
      await synced(client, connection.id);
      expect(lastCursor()).toBe('c1');
    }
  });

  it('asks for everything again where a person wants what changes do not have', async () => {
    const path = `/api/v1/connections/${connection.id}`;
    expect((await client.patch(path, { include_pending: false })).status).toBe(200);
    later();
    plays({ c1: [{ removed: [] }, 'c2'], beginning: [{ transactions: [COFFEE, RENT, HELD] }, 'c9'] });
    await synced(client, connection.id);
    expect([lastCursor(), await listed()]).toEqual(['c1', ['Rent', 'Coffee']]);
    await client.patch(path, { include_pending: true });
    await synced(client, connection.id);
    expect([lastCursor(), await listed()]).toEqual([null, ['Rent', 'Coffee', 'Fuel?']]);
    const [{ id }] = (await client.get('/api/v1/accounts')).body.accounts;
    await client.delete(`/api/v1/accounts/${id}`);
    later();
    await client.delete(`${path}/deleted_accounts/${id}`);
    await synced(client, connection.id);
    expect([lastCursor(), await listed()]).toEqual([null, ['Rent', 'Coffee', 'Fuel?']]);
    await client.put(`${path}/credentials`, { access_token: 'another' });
    await synced(client, connection.id);
    expect(provider.requests.at(-2)!.cursor).toBeNull();
  });

  it('does not take a change for seen that a person wanted while it was fetched', async () => {
    provider.play = async ({ includePending }) => {
      later();
      if (includePending) await client.patch(`/api/v1/connections/${connection.id}`, { include_pending: false });
      later();
      await client.patch(`/api/v1/connections/${connection.id}`, { include_pending: true });
      return { accounts: [{ ...ACCOUNT, removed: [] }], cursor: 'c2' };
    };
    await synced(client, connection.id);
    await synced(client, connection.id);
    expect(lastCursor()).toBeNull();
  });
});

describe('POST /pushes/{provider}', () => {
  const push = (
    text: string,
    headers: Record<string, string> = { 'x-signature': 'signed' },
    name = playedProvider.name,
  ) => send(`${tidemark.url}/pushes/${name}`, { method: 'POST', body: text, headers });
  const latest = async () => {
    const { body } = await client.get(`/api/v1/syncs?connection_id=${connection.id}`);
    return { count: body.pagination.total_count, newest: body.syncs[0] };
  };

  beforeEach(async () => {
    provider.play = () => ({ accounts: [ACCOUNT], externalId: `item of ${client.userId}` });
    await connect();
  });

  it('syncs the connection that the provider names, and no other, however often it comes', async () => {
    later(10);
    expect((await push('another')).status).toBe(204);
    expect(await latest()).toMatchObject({ count: 1 });
    provider.readPush = () => Promise.resolve([`item of ${client.userId}`]);
    expect((await push('')).status).toBe(204);
    const { newest } = await latest();
    expect(await ended(client, newest.id)).toMatchObject({ status: 'succeeded', trigger: 'schedule' });
    // Just after a sync the next one waits for some minutes.
    expect((await push('')).status).toBe(204);
    expect(await latest()).toMatchObject({ count: 3, newest: { status: 'queued' } });
    expect((await push('')).status).toBe(204);
    expect(await latest()).toMatchObject({ count: 3 });
  });

  it('syncs again when a push comes while the provider is being asked', async () => {
    provider.readPush = () => Promise.resolve([`item of ${client.userId}`]);
    provider.play = async () => {
      later();
      await push('');
      return { accounts: [ACCOUNT] };
    };
    expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
    expect(await latest()).toMatchObject({ count: 3, newest: { status: 'queued' } });
  });

  it('refuses what the provider has not signed, what is too large, and providers that push nothing', async () => {
    provider.readPush = (sent) => PlayedProvider.prototype.readPush.call(provider, sent);
    expect((await push('x', { 'x-signature': 'no' })).body).toMatchObject({
      error: 'bad_request',
      message: 'The push is not signed.',
    });
    expect((await push('x'.repeat(65 * 1024))).status).toBe(413);
    expect((await push('', {}, 'fourth_provider')).status).toBe(404);
    expect(await latest()).toMatchObject({ count: 1 });
  });
});

describe('a consent that a person gives at the bank', () => {
  const signedIn = async ({ userId }: TestClient) => {
    const user = await tidemark.em().findOneOrFail(User, { id: userId });
    return new Visitor(tidemark.url, (await tidemark.app.get(SessionsService).begin(user))!);
  };
  const begin = async (person: Visitor, fields: Record<string, string>, from: string) => {
    const { html } = await person.submit('/connections/new/consent', fields, from);
    expect(html).toContain('href="https://bank.example/consent?');
    return provider.consents.at(-1)!;
  };
  const back = (person: Visitor, parameters: Record<string, string>) =>
    person.get(`/connections/return?${new URLSearchParams(parameters).toString()}`);
  const connections = async () => (await client.get('/api/v1/connections')).body.connections;

  let person: Visitor;
  beforeEach(async () => {
    client = await createClient(tidemark);
    person = await signedIn(client);
    const accessUntil = new Date(tidemark.clock.now().getTime() + 90 * 86_400_000);
    provider.play = ({ credential }) => ({ accounts: [ACCOUNT], accessUntil, externalId: credential.reveal() });
  });

  it('connects the bank that was searched for, without scripts, and can be renewed before it ends', async () => {
    const path = '/connections/new?provider=played_provider&country=de&search=Spar';
    expect((await person.get(path)).text).toMatch(/Your bank Sparkasse Name/);
    const fields = { provider: playedProvider.name, institution: 'SPARKASSE', name: 'Mine', include_pending: 'on' };
    const { state, returnTo, pushTo, institutionId, renews } = await begin(person, fields, path);
    expect([institutionId, renews]).toEqual(['SPARKASSE', null]);
    expect([returnTo, pushTo]).toEqual([
      `${tidemark.url}/connections/return`,
      `${tidemark.url}/pushes/played_provider`,
    ]);
    expect((await back(person, { state, code: 'yes' })).headers.get('location')).toBe('/connections');
    const [made] = await connections();
    await ended(client, made.latest_sync_id);
    const [shown] = await connections();
    expect(shown).toMatchObject({
      name: 'Mine',
      status: 'active',
      access_until: expect.stringMatching(/^2026-06-13T/),
    });
    const page = `/connections/${made.id}`;
    expect((await person.get(page)).text).toMatch(/access until 13 Jun 2026/);
    expect((await person.get(page)).text).not.toContain('ends soon');

    provider.play = () => ({ accounts: [ACCOUNT], accessUntil: new Date('2026-03-20T00:00:00Z') });
    await synced(client, made.id);
    expect((await person.get(page)).text).toContain('ends soon');
    const urgent = await person.get('/');
    expect(urgent.text).toContain('Mine asks for a new sign-in by 20 Mar 2026. Renew');
    expect(urgent.html).toContain('card status warn');
    provider.play = () => ({ accounts: [ACCOUNT], accessUntil: new Date('2026-03-28T00:00:00Z') });
    await synced(client, made.id);
    const calm = await person.get('/');
    expect(calm.text).toContain('Mine asks for a new sign-in by 28 Mar 2026. Renew');
    expect(calm.html).toContain(`href="${page}#credential"`);
    expect(calm.html).not.toContain('card status warn');
    provider.play = () => ({ accounts: [ACCOUNT], accessUntil: new Date('2026-04-28T00:00:00Z') });
    await synced(client, made.id);
    expect((await person.get('/')).text).not.toContain('asks for a new sign-in');
    later(10);
    const renewal = await begin(person, { connection: made.id }, page);
    expect(renewal.renews!.reveal()).toMatch(/^kept \d+ yes$/);
    provider.play = () => ({ accounts: [ACCOUNT], accessUntil: null });
    await back(person, { state: renewal.state, code: 'again' });
    const [renewed] = await connections();
    await ended(client, renewed.latest_sync_id);
    expect(await connections()).toMatchObject([{ id: made.id, access_until: null, accounts_count: 1 }]);
    expect(provider.requests.at(-1)!.credential.reveal()).toMatch(/ again$/);
  });

  it('is finished once, and by the session that has begun it', async () => {
    const fields = { provider: playedProvider.name };
    const { state } = await begin(person, fields, '/connections/new');
    expect((await back(await signedIn(client), { state, code: 'stolen' })).status).toBe(410);
    const own = await begin(person, fields, '/connections/new');
    expect((await back(person, { state: own.state, code: 'first' })).status).toBe(303);
    expect((await back(person, { state: own.state, code: 'second' })).status).toBe(410);
    const late = await begin(person, fields, '/connections/new');
    later(61);
    expect((await back(person, { state: late.state, code: 'late' })).status).toBe(410);
    expect((await back(person, { state: 'f'.repeat(32), code: 'guessed' })).status).toBe(410);
    expect(await connections()).toHaveLength(1);
  });

  it('that is refused says so and connects nothing', async () => {
    const { state } = await begin(person, { provider: playedProvider.name }, '/connections/new');
    expect((await back(person, { state, error: 'access_denied' })).text).toContain('The bank said no.');
    expect(await connections()).toEqual([]);
  });

  it('the banks of a provider are found over the API', async () => {
    const path = '/api/v1/institutions?provider=played_provider&country=de&search=Volks';
    expect((await client.get(path)).body).toEqual({ institutions: [{ id: 'VOLKSBANK', name: 'Volksbank' }] });
    expect((await client.get('/api/v1/institutions?provider=us_provider&country=de')).status).toBe(404);
  });
});
