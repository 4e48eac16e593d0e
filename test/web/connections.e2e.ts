import { LOCAL_PROVIDER, startTestApp, type TestApp } from '../support/app.js';
import { createConnection } from '../support/factories.js';
import { type ScriptedBank, startScriptedBank } from '../support/scripted-bank.js';
import {
  globalProviderScript,
  wireAccount as wireGlobalAccount,
  wireBalance,
} from '../support/scripted-global-provider.js';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.js';
import { wireAccount, wireHold, wireSet, wireTransaction } from '../support/scripted-us-provider.js';
import { until } from '../support/syncs.js';
import { type Visit, Visitor } from '../../src/kit/visitor.js';

const CHECKING = wireAccount({ transactions: [wireTransaction('T-1', '2026-03-10', '-12.00')] });
const SAVINGS = wireAccount({ id: 'ACT-2', name: 'Savings', balance: '900.00' });
const NEEDS_LOGIN = { errlist: [{ code: 'act.failed', msg: 'The bank is asleep.', account_id: 'ACT-2' }] };
const REVOKED = { status: 403, body: { errlist: [{ code: 'gen.auth', msg: 'Forbidden' }], accounts: [] } };

describe('pages of connections', () => {
  let bank: ScriptedBank;
  let abroad: ScriptedServer;
  let test: TestApp;
  let person: Visitor;
  let people = 0;

  beforeAll(async () => {
    bank = await startScriptedBank();
    abroad = await startScriptedServer();
    const base = { GLOBALPROVIDER_BASE_URL: `${abroad.url}/api/v1`, SIGN_UP: 'open' };
    test = await startTestApp({ ...LOCAL_PROVIDER, ...base });
  });
  afterAll(async () => {
    await test.stop();
    await bank.stop();
    await abroad.stop();
  });
  beforeEach(async () => {
    test.clock.set('2026-03-15T12:00:00Z');
    bank.lists([CHECKING, SAVINGS]);
    person = new Visitor(test.url);
    await person.signUp(`person-${++people}@example.com`);
  });

  /** The page once no sync is under way any more. */
  async function settled(): Promise<Visit> {
    return until(async () => {
      const page = await person.get('/connections');
      return page.html.includes('<progress') ? null : page;
    }, 'synced');
  }

  const connect = (fields: object = {}) =>
    person.submit('/connections/new', {
      ...{ provider: 'us_provider', name: '', secret: bank.token(), include_pending: 'on' },
      ...fields,
    });
  const idIn = ({ html }: Visit) => /\/connections\/([0-9a-f-]{36})"/.exec(html)?.[1] ?? '';

  async function connected(): Promise<string> {
    await connect();
    return idIn(await settled());
  }

  const anHourLater = () => test.clock.set(new Date(test.clock.now().getTime() + 3_600_000).toISOString());

  async function syncedAgain(id: string): Promise<Visit> {
    anHourLater();
    await person.submit(`/connections/${id}/sync`, {}, '/connections');
    return settled();
  }

  it('the pages lead a new user to the first connection', async () => {
    const home = await person.get('/');
    expect(home.text).toContain('Connect your first bank');
    expect(home.text).not.toContain('sandbox');
    const page = await person.get('/connections');
    expect(page.text).toContain('No bank is connected yet');
    expect(page.html).toContain('href="/connections/new"');
    const form = await person.get('/connections/new');
    expect(form.text).toMatch(/Setup token.*API key/);
    expect(form.text).not.toContain('sandbox');
    expect((await person.submit('/connections/sandbox', { provider: 'us_provider' }, '/settings')).status).toBe(404);
  });

  it('the form of a new connection shows beside the field why a credential is invalid', async () => {
    const cases: [string, RegExp][] = [
      ['', /Paste the setup token here\./],
      ['not a token!', /The setup token is not base64 text: paste the whole token/],
      ['x'.repeat(4096), /The setup token contains no address/],
      ['x'.repeat(4097), /This is too long for one setup token\./],
    ];
    for (const [secret, sentence] of cases) {
      const answer = await connect({ secret });
      expect([answer.status, sentence.test(answer.text)]).toEqual([422, true]);
      expect(answer.html).toContain('id="us_provider-secret-error"');
      expect(answer.html).toContain('aria-describedby="us_provider-secret-error"');
    }
    const spent = bank.token();
    await connect({ secret: spent });
    const again = await connect({ secret: spent });
    expect(again.status).toBe(422);
    expect(again.html).toMatch(/id="us_provider-secret-error">[^<]+already connected as/);
    expect(again.html).not.toContain(spent);
  });

  it('the page of a connection shows the results of a sync, the next sync and the request budget', async () => {
    expect((await connect({ name: 'My banks' })).headers.get('location')).toBe('/connections');
    const page = await settled();
    expect(page.text).toMatch(/My banks Banks in the United States Manage Up to date 2 accounts · last synced/);
    expect(page.text).toContain('15 Mar 2026, 13:00');
    expect(page.text).toMatch(/of 24 requests left in 24 hours/);
    expect(page.text).toMatch(/1 new transaction, \d+ balance records in 2 accounts/);
    expect(page.text).toMatch(/Account by account .* Everyday Checking 1 0 0 Savings 0 0 0/);
  });

  it('the page of connections polls at most three times a second, however many syncs are running', async () => {
    const byEmail = 'select id from users where email = ?';
    const [user]: { id: string }[] = await test.em().execute(byEmail, [`person-${people}@example.com`]);
    const userId = user!.id;
    const queue = `insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at)
      values (?, gen_random_uuid(), ?, 'person', 'queued', 'waiting', ?)`;
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      const { id } = await createConnection(test, userId);
      await test.em().execute(queue, [userId, id, test.clock.now()]);
      ids.push(id);
    }
    const secondsIn = ({ html }: Visit) => [...html.matchAll(/hx-trigger="every (\d+)s"/g)].map(([, s]) => Number(s));
    expect(secondsIn(await person.get('/connections'))).toEqual(ids.map(() => 4));
    expect(secondsIn(await person.get(`/connections/${ids[0]}`))).toEqual([4]);
    await test.em().execute(`delete from sync_runs where user_id = ? and connection_id <> ?`, [userId, ids[0]]);
    expect(secondsIn(await person.get(`/connections/${ids[0]}/state`))).toEqual([1]);
  });

  it('the overview names a bank that needs attention', async () => {
    const id = await connected();
    expect((await person.get('/')).text).toMatch(
      /Your connection is up to date · 2 of 2 connected accounts as of today · next \d\d:\d\d \$1,000\.00/,
    );
    bank.answers(REVOKED);
    await syncedAgain(id);
    const overview = await person.get('/');
    expect(overview.text).toMatch(
      /Your connection is not up to date .* US banks: needs attention\. Last synced 15 Mar 2026, 13:00\. Reconnect/,
    );
    expect(overview.html).toContain(`href="/connections/${id}#credential"`);
  });

  it('the overview and the navigation say which account lacks news because its bank wants a new sign-in', async () => {
    const id = await connected();
    bank.lists([CHECKING, SAVINGS], NEEDS_LOGIN);
    await syncedAgain(id);
    const { text, html } = await person.get('/');
    expect(text).toMatch(
      /Your connection is not up to date · .* Savings as of 15 Mar 2026: The provider reports: .*asleep/,
    );
    expect(html).toContain('href="https://bridge.simplefin.org');
    expect(html).toContain('brings nothing new of some accounts. See what to do.');
  });

  it('the overview shows a first sync that failed instead of the welcome page', async () => {
    bank.answers(REVOKED);
    await connect({ name: 'My banks' });
    await settled();
    const { text } = await person.get('/');
    expect(text).toMatch(/No accounts yet .* My banks Needs attention/);
    expect(text).not.toContain('Connect your first bank');
  });

  it('the page of a connection updates only its changed part during a sync', async () => {
    const id = await connected();
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    bank.answers(async () => {
      await gate;
      return { body: wireSet([CHECKING, SAVINGS]) };
    });
    anHourLater();
    await person.submit(`/connections/${id}/sync`, {}, '/connections');
    const page = await person.get('/connections');
    const part = await person.get(`/connections/${id}/state`);
    /** The path that a page or a part of it asks again: with the revision that it shows. */
    const againIn = ({ html }: Visit) => /hx-get="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(againIn(page)).toMatch(new RegExp(`^/connections/${id}/state\\?since=.`));
    expect(page.html).toContain('<noscript><meta http-equiv="refresh" content="10"');
    // A page with text fields is not reloaded while somebody types.
    const { html: withFields } = await person.get(`/connections/${id}`);
    expect(withFields).not.toContain('http-equiv="refresh"');
    expect(withFields).toMatch(new RegExp(`<noscript>.*<a href="/connections/${id}">Reload`));
    expect(part.html).toMatch(/^<div class="connection-state/);
    expect(part.text).toMatch(/Waiting|Syncing/);
    // A screen reader hears a change of an element that stays.
    expect(part.html).toContain('hx-swap="outerMorph"');
    expect(part.html).toMatch(/class="badge[^"]*" role="status">(?:Waiting|Syncing)</);
    // The sync asks the bank, which is held up, and nothing changes any more.
    const last = await until(async () => {
      const shown = await person.get(`/connections/${id}/state`);
      const again = await person.get(againIn(shown));
      return again.status === 204 ? { again, path: againIn(shown) } : null;
    }, 'told that there is nothing newer');
    expect([last.again.html, last.again.headers.get('cache-control')]).toEqual(['', 'no-store']);
    // The overview without an account shows the same part, and is another page once the sync has ended.
    const ofOverview = await person.get(`/connections/${id}/state?reloads=1`);
    expect(againIn(ofOverview)).toMatch(/&amp;reloads=1$/);
    go();
    await settled();
    const { status, headers } = await person.get(againIn(ofOverview).replace('&amp;', '&'));
    expect([status, headers.get('hx-refresh')]).toEqual([204, 'true']);
    const news = await person.get(last.path);
    expect([news.status, againIn(news)]).toEqual([200, '']);
    expect(news.text).toContain('Up to date');
  });

  it('a user can connect the global provider with an API key', async () => {
    abroad.play(globalProviderScript([{ wire: wireGlobalAccount(), balance: wireBalance(12.5) }]));
    const fields = { provider: 'global_provider', secret: 'a key of two words' };
    expect((await connect(fields)).text).toContain('The API key has spaces or unusual characters');
    await connect({ ...fields, secret: 'gp-7f3a91c2-not-a-real-key' });
    const page = await settled();
    expect(page.text).toMatch(/Banks worldwide Banks worldwide Manage Up to date 1 account/);
    expect(page.text).not.toContain('requests left');
  });

  it('the page of a connection shows a partial sync with its problem and the account', async () => {
    const id = await connected();
    bank.lists([CHECKING, SAVINGS], NEEDS_LOGIN);
    const { text, html } = await syncedAgain(id);
    expect(text).toContain('Partly synced');
    expect(text).toMatch(/Savings .*asleep/);
    expect(html).toMatch(/Savings<\/a> <span class="badge warn">Problems/);
    expect(text).not.toContain('New setup token');
  });

  it('the page of a connection asks for a new token when access is revoked, and syncs with it', async () => {
    const id = await connected();
    bank.answers(REVOKED);
    const refused = await syncedAgain(id);
    expect(refused.text).toContain('Needs attention');
    expect(refused.html).toContain(`href="/connections/${id}#credential"`);
    expect(refused.html).toContain(`href="/connections/${id}#remove"`);
    expect(refused.text.match(/New setup token/g)).toHaveLength(1);
    bank.lists([CHECKING, SAVINGS]);
    anHourLater();
    const reconnect = (secret: string) =>
      person.submit(`/connections/${id}/credential`, { secret }, `/connections/${id}`);
    expect((await reconnect('no')).html).toContain('id="secret-error"');
    expect((await reconnect(bank.token())).headers.get('location')).toBe('/connections');
    expect((await settled()).text).toContain('Up to date');
  });

  it('the page of a connection says that the request budget is used up and when it is available again', async () => {
    const id = await connected();
    await test.em().execute(
      `insert into provider_requests (user_id, connection_id, sent_at)
       select user_id, id, '2026-03-15 12:30Z'::timestamptz + n * interval '1 s' from connections, generate_series(1, 24) n
       where id = '${id}'`,
    );
    const { text, html } = await syncedAgain(id);
    expect(text).toMatch(/No requests left. The next sync is possible on 16 Mar 2026/);
    expect(html).not.toContain('Sync now');
  });

  it('the page of a connection names missing accounts and asks whether a new account is the same', async () => {
    const id = await connected();
    bank.lists([{ ...CHECKING, id: 'ACT-9' }, SAVINGS]);
    const { text, html } = await syncedAgain(id);
    expect(text).toMatch(/The bank no longer lists Everyday Checking\. Its history is kept\./);
    expect(text).toContain('Merging cannot be undone.');
    const [, gone, here] = /accounts\/([\w-]+)\/merge[\s\S]*?name="other" value="([\w-]+)"/.exec(html) ?? [];
    expect((await person.get(`/accounts/${gone}`)).text).toContain('The bank no longer lists this account.');
    const fields = { other: here ?? '' };
    const answer = await person.submit(`/accounts/${gone}/merge`, fields, '/connections');
    expect(answer.headers.get('location')).toBe('/connections');
    expect((await person.get(`/accounts/${here}`)).status).toBe(404);
    expect((await person.get('/connections')).text).not.toContain('Merge');
  });

  it('the navigation of every page names the bank whose syncs stopped', async () => {
    const id = await connected();
    expect((await person.get('/')).html).not.toContain('class="alarm"');
    bank.answers({ status: 403, body: 'Forbidden' });
    await syncedAgain(id);
    for (const path of ['/', '/keys']) {
      const { html } = await person.get(path);
      const said = /title="([^"]+)"/.exec(html)?.[1];
      expect(said).toMatch(/has not synced since 15 Mar 2026, \d\d:\d\d\. See what to do\./);
    }
  });

  it('the page of a connection lists the time and the result of every sync', async () => {
    const id = await connected();
    bank.lists([CHECKING, SAVINGS], NEEDS_LOGIN);
    await syncedAgain(id);
    const { text } = await person.get(`/connections/${id}/syncs`);
    expect(text).toMatch(
      /Partly synced 15 Mar 2026, 14:\d\d · By you .*asleep.* \( ?Savings\) Complete 15 Mar 2026, 13:\d\d · First sync/,
    );
    const stranger = new Visitor(person.url);
    expect((await stranger.get(`/connections/${id}/syncs`)).status).toBe(303);
  });

  it('a deleted account is left out of the page of its connection and can be restored', async () => {
    const id = await connected();
    const [, savings] = /href="\/accounts\/([\w-]+)\?[^"]*">Savings/.exec((await person.get('/')).html) ?? [];
    const remove = (account: string, password = 'correct horse') =>
      person.submit(`/accounts/${account}/delete`, { delete_password: password }, `/accounts/${account}`);
    const refused = await remove(savings!, 'guessed');
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Wrong password.')]);
    const answer = await remove(savings!);
    expect(answer.headers.get('location')).toBe(`/connections/${id}`);
    expect((await person.get(`/connections/${id}`)).text).toMatch(
      /1 deleted by you and no longer synced Savings Sync again/,
    );
    expect((await syncedAgain(id)).text).toContain('deleted by you');
    expect((await person.get('/')).text).not.toContain('Savings');
    const [, checking] = /href="\/accounts\/([\w-]+)\?[^"]*">Everyday/.exec((await person.get('/')).html) ?? [];
    await remove(checking!);
    expect((await person.get('/')).text).toMatch(
      /No accounts Your bank is connected, but there is no account to show\./,
    );
    for (let i = 0; i < 2; i++) {
      const restored = await person.submit(
        `/connections/${id}/restore`,
        { account: savings ?? '' },
        `/connections/${id}`,
      );
      expect([restored.status, restored.headers.get('location')]).toEqual([303, `/connections/${id}`]);
    }
    await syncedAgain(id);
    expect((await person.get('/')).text).toContain('Savings');
  });

  it('the page of a connection says once for all accounts that another connection syncs them already', async () => {
    await connect({ name: 'First' });
    await settled();
    await connect({ name: 'Second' });
    const { text } = await settled();
    expect(text.match(/already synced/g)).toHaveLength(1);
    expect(text).toContain('“Everyday Checking” and “Savings” are already synced by the connection “First”');
    expect(text).toContain('Remove one of the two connections.');
    bank.lists([CHECKING]);
    await connect({ name: 'Third' });
    expect((await settled()).text).toContain('“Everyday Checking” is already synced by the connection “First”');
  });

  /** Both accounts are gone with their connection, and come back under other ids by a new one. */
  async function listedAnew(): Promise<void> {
    const id = await connected();
    await person.submit(`/connections/${id}/remove`, { history: 'keep' }, `/connections/${id}`);
    bank.lists([
      { ...CHECKING, id: 'ACT-8' },
      { ...SAVINGS, id: 'ACT-9' },
    ]);
    anHourLater();
    await connect();
    await settled();
  }

  it('the page of a connection suggests in one notice to merge the accounts that have other ids after a new login', async () => {
    await listedAnew();
    const offers = async () => {
      const { html, text } = await person.get('/connections');
      const pairs = [...html.matchAll(/accounts\/([\w-]+)\/merge[\s\S]*?name="other" value="([\w-]+)"/g)];
      return {
        text,
        notices: html.match(/class="notice/g)?.length,
        pairs: pairs.map(([, gone, here]) => [gone, here]),
      };
    };
    const { notices, pairs, text } = await offers();
    expect([notices, pairs.length]).toEqual([1, 2]);
    expect(text).toMatch(
      /2 accounts are disconnected.*Everyday Checking Tidewater Bank Merge Merge permanently Keep separate Savings Tidewater Bank Merge/,
    );
    const fields = { other: pairs[0]![1]!, then: 'connections' };
    const answer = await person.submit(`/accounts/${pairs[0]![0]}/merge`, fields, '/connections');
    expect(answer.headers.get('location')).toBe('/connections');
    expect((await offers()).pairs).toEqual([pairs[1]]);
  });

  it('all accounts of a merge notice are merged at once, or none of them', async () => {
    await listedAnew();
    const { html } = await person.get('/connections');
    const pairs = [...html.matchAll(/name="pair" value="([^"]+)"/g)].map(([, pair]) => pair!);
    expect(pairs).toHaveLength(2);
    expect(html).toMatch(/Merge all 2/);
    const [[gone, here], second] = pairs.map((pair) => pair.split(' ')) as [[string, string], string[]];
    const submit = (pair: string[]) => person.submit('/account-merges', { pair }, '/connections');
    expect((await submit([pairs[0]!, second.toReversed().join(' ')])).status).toBe(409);
    expect((await submit([pairs[0]!, 'nonsense'])).status).toBe(404);
    expect((await person.get(`/accounts/${here}`)).status).toBe(200);
    expect((await submit(pairs)).headers.get('location')).toBe('/connections');
    expect((await person.get(`/accounts/${here}`)).status).toBe(404);
    expect((await person.get(`/accounts/${gone}`)).text).not.toContain('no longer lists this account');
    expect((await person.get('/connections')).text).not.toContain('Merge');
  });

  it('a user can keep two possible duplicate accounts separate', async () => {
    const id = await connected();
    bank.lists([{ ...CHECKING, id: 'ACT-9' }, SAVINGS]);
    const { html } = await syncedAgain(id);
    const [, gone, here] = /accounts\/([\w-]+)\/keep-separate[\s\S]*?name="other" value="([\w-]+)"/.exec(html) ?? [];
    await person.submit(`/accounts/${gone}/keep-separate`, { other: here ?? '' }, '/connections');
    const after = await person.get('/connections');
    expect(after.text).not.toContain('Merge');
    expect(after.text).toContain('The bank no longer lists Everyday Checking.');
  });

  it('a user can rename a connection and switch pending transactions off, which deletes them', async () => {
    bank.lists([wireAccount({ transactions: [wireHold('H-1', '2026-03-14', '-5.00')] })]);
    const id = await connected();
    const [, account] = /\/accounts\/([0-9a-f-]{36})\?/.exec((await person.get('/')).html) ?? [];
    expect((await person.get(`/accounts/${account}`)).text).toContain('authorized but not posted yet');
    const edit = (fields: Record<string, string>) => person.submit(`/connections/${id}`, fields, `/connections/${id}`);
    expect((await edit({ name: ' ' })).html).toContain('id="name-error"');
    await edit({ name: 'Household' });
    expect((await person.get('/connections')).text).toContain('Household');
    expect((await person.get(`/connections/${id}`)).html).not.toMatch(/include_pending"[^>]*checked/);
    expect((await person.get(`/accounts/${account}`)).text).not.toContain('Pending');
    await edit({ name: 'Household', include_pending: 'on' });
    expect((await person.get(`/connections/${id}`)).html).toMatch(/include_pending"[^>]*checked/);
  });

  it.each([
    ['keep', /Everyday Checking.*Disconnected/],
    ['delete', /Connect your first bank/],
  ])('the form that removes a connection can %s its accounts', async (history, home) => {
    const id = await connected();
    await person.submit(`/connections/${id}/remove`, { history }, `/connections/${id}`);
    expect((await person.get('/connections')).text).toContain('No bank is connected yet');
    expect((await person.get('/')).text).toMatch(home);
  });

  it('a connection whose provider is not installed is shown and can be removed', async () => {
    const id = await connected();
    await test.em().execute(`update connections set provider = 'gone_provider' where id = '${id}'`);
    const list = await person.get('/connections');
    expect(list.text).toMatch(/US banks Unknown provider “gone_provider” Manage Up to date 2 accounts/);
    const page = await person.get(`/connections/${id}`);
    expect([page.status, page.html.includes('id="credential"')]).toEqual([200, false]);
    const fields = { secret: bank.token() };
    expect((await person.submit(`/connections/${id}/credential`, fields, `/connections/${id}`)).status).toBe(404);
    await person.submit(`/connections/${id}/remove`, { history: 'keep' }, `/connections/${id}`);
    expect((await person.get('/connections')).text).toContain('No bank is connected yet');
  });

  it('the page of a connection is 404 for another user', async () => {
    const id = await connected();
    const stranger = new Visitor(test.url);
    await stranger.signUp(`person-${++people}@example.com`);
    for (const path of [`/connections/${id}`, `/connections/${id}/state`, '/connections/nonsense']) {
      expect((await stranger.get(path)).status).toBe(404);
    }
    for (const path of ['sync', 'remove', 'credential']) {
      expect((await stranger.submit(`/connections/${id}/${path}`, {}, '/settings')).status).toBe(404);
    }
  });
});
