import { SCOPES } from '../../src/auth/scopes.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';
import { Visitor, type Visit } from '../../src/kit/visitor.js';

describe('page of API keys', () => {
  let test: TestApp;
  let person: Visitor;
  let people = 0;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    person = new Visitor(test.url);
    await person.signUp(`person-${++people}@example.com`);
  });

  const make = async (fields: Record<string, string | string[]>) => {
    const sent = await person.submit('/keys', fields);
    return sent.status === 303 ? person.follow(sent) : sent;
  };
  const keyIn = ({ html }: Visit) => /id="new-key">([^<]+)</.exec(html)?.[1] ?? '';
  const asks = (key: string, path = '/api/v1/balances') => fetch(test.url + path, { headers: { 'X-Api-Key': key } });

  it('a new API key is shown once with a working command, and later only by its hint', async () => {
    const made = await make({ name: 'Spreadsheet', preset: 'read', expiry: '' });
    const key = keyIn(made);
    expect(made.text).toContain(`curl -s -H 'X-Api-Key: ${key}' '${test.url}/api/v1/balances?per_page=3'`);
    const { text, html } = await person.get('/keys');
    expect(html).not.toContain(key);
    expect(text).toMatch(/Spreadsheet \S+ Read only · never used/);
    expect((await asks(key)).status).toBe(200);
  });

  it('an API key can be limited to accounts, and the page names them', async () => {
    const email = `person-${people}@example.com`;
    const [{ id } = { id: '' }]: { id: string }[] = await test
      .em()
      .execute('select id from users where email = ?', [email]);
    expect((await person.get('/keys')).text).not.toContain('Only some');
    const connection = await createConnection(test, id);
    const accounts = { Household: '', Private: '' };
    for (const name of ['Household', 'Private'] as const) {
      accounts[name] = (await writeSnapshot(test, connection, snapshotAccount({ name }))).accountId;
    }
    const fields = { name: 'Sheet', preset: 'read', accounts: 'chosen', expiry: '' };
    for (const account_ids of [[], [connection.id]]) {
      const refused = await make({ ...fields, account_ids });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Choose at least one.')]);
    }
    // Accounts that are named are meant, whatever else the form says: no key for all comes of it.
    for (const choice of [[], ['all'], ['x'], [''], ['all', 'chosen']]) {
      const unclear = await make({ ...fields, accounts: choice, account_ids: [accounts.Household] });
      expect([choice, unclear.status, unclear.text]).toEqual([
        ...[choice, 422, expect.stringContaining('Untick the accounts')],
      ]);
      // What was chosen stays, so that the advice can be followed.
      expect(unclear.html).toMatch(new RegExp(`value="${accounts.Household}" checked`));
    }
    expect((await make({ ...fields, accounts: 'all', expiry: 'soon' })).status).toBe(422);
    const lacking = await make({
      ...fields,
      preset: 'chosen',
      scopes: ['audit:read'],
      account_ids: [accounts.Household],
    });
    expect([lacking.status, lacking.text]).toEqual([422, expect.stringContaining('cannot have audit:read')]);
    expect(lacking.html).toMatch(new RegExp(`value="${accounts.Household}" checked`));

    const key = keyIn(await make({ ...fields, account_ids: [accounts.Household] }));
    const listed = (await (await asks(key, '/api/v1/accounts')).json()) as { accounts: { name: string }[] };
    expect(listed.accounts.map(({ name }) => name)).toEqual(['Household']);
    expect((await asks(key, '/api/v1/connections')).status).toBe(403);
    expect((await person.get('/keys')).text).toMatch(/Sheet \S+ .*only Household · last used/);
  });

  it('a new API key is not shown again when its page is reloaded', async () => {
    const sent = await person.submit('/keys', { name: 'Spreadsheet', preset: 'read', expiry: '' });
    await fetch(test.url + sent.headers.get('location'), {
      method: 'HEAD',
      headers: { cookie: `tidemark=${person.cookie('tidemark')}` },
    });
    const stranger = new Visitor(test.url);
    await stranger.signUp(`person-${++people}@example.com`);
    expect((await stranger.follow(sent)).text).not.toContain('Your key “Spreadsheet”');
    const key = keyIn(await person.follow(sent));
    expect((await asks(key)).status).toBe(200);
    const again = await person.follow(sent);
    expect(again.html).not.toContain(key);
    expect(again.text).toContain('A key is shown only once.');
  });

  it('a form makes one API key, however often and fast it is sent', async () => {
    const { html } = await person.get('/keys');
    const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
    const send = () => person.post('/keys', { form_token, name: 'Twice', preset: 'read', expiry: '' });
    const answers = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    const locations = new Set(answers.map(({ headers }) => headers.get('location')));
    expect(locations.size).toBe(1);
    expect((await asks(keyIn(await person.follow(answers[3]!)))).status).toBe(200);
    expect((await person.get('/keys')).html.match(/<b>Twice<\/b>/g)).toHaveLength(1);
  });

  it('a refused form of an API key can be sent again', async () => {
    const { html } = await person.get('/keys');
    const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
    const send = (name: string) => person.post('/keys', { form_token, name, preset: 'read', expiry: '' });
    expect((await send(' ')).status).toBe(422);
    expect(keyIn(await person.follow(await send('Mended')))).toMatch(/^tm_/);
  });

  it('a user has at most 50 active API keys', async () => {
    await make({ name: 'First', preset: 'read', expiry: '' });
    const copy = `insert into api_keys (user_id, id, name, scopes, key_hash, hint, created_at)
      select user_id, gen_random_uuid(), name, scopes, sha256(n::text::bytea || key_hash), hint, created_at
      from (select * from api_keys where name = 'First') made, generate_series(1, 48) n`;
    await test.em().execute(copy);
    expect((await make({ name: 'Last', preset: 'read', expiry: '' })).status).toBeLessThan(300);
    const refused = await make({ name: 'Too many', preset: 'read', expiry: '' });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('50 active keys')]);
  });

  it.each([
    ['read', [], SCOPES.filter((scope) => scope.endsWith(':read'))],
    ['full', [], [...SCOPES]],
    ['chosen', ['accounts:read'], ['accounts:read']],
  ])('a new API key with the preset “%s” gets its scopes', async (preset, scopes, given) => {
    const key = keyIn(await make({ name: 'A', preset, scopes, expiry: '' }));
    const me = (await (await asks(key, '/api/v1/me')).json()) as { scopes?: string[] };
    expect(JSON.stringify(me)).toContain(JSON.stringify(given));
  });

  it('the form of an API key shows beside the field what is missing', async () => {
    const { status, html, text } = await make({ name: ' ', preset: 'chosen', expiry: '' });
    expect(status).toBe(422);
    expect(html).toContain('id="name-error"');
    expect(html).toContain('id="preset-error"');
    expect(text).not.toContain('Copy the key now');
  });

  it('an API key stops working at its expiry date', async () => {
    test.clock.set('2026-03-15T12:00:00Z');
    const key = keyIn(await make({ name: 'Short', preset: 'read', expiry: '30' }));
    expect((await person.get('/keys')).text).toContain('expires 14 Apr 2026');
    test.clock.set('2026-04-01T12:00:00Z');
    expect((await person.get('/keys')).text).toContain('expires 14 Apr 2026');
    test.clock.set('2026-04-14T12:00:01Z');
    expect((await asks(key)).status).toBe(401);
    expect((await person.get('/keys')).text).toMatch(/Short \S+ Expired .* expired 14 Apr 2026/);
    test.clock.set('2026-03-15T12:00:00Z');
  });

  it('a user can rotate an own API key only, and the page says how long the old secret works', async () => {
    test.clock.set('2026-03-15T12:00:00Z');
    const old = keyIn(await make({ name: 'Script', preset: 'read', expiry: '90' }));
    const [path = ''] = /\/keys\/[\w-]+\/rotate/.exec((await person.get('/keys')).html) ?? [];
    const stranger = new Visitor(test.url);
    await stranger.signUp(`person-${++people}@example.com`);
    expect((await stranger.submit(path, { overlap: '24' }, '/settings')).status).toBe(409);
    const made = await person.follow(await person.submit(path, { overlap: '24' }, '/keys'));
    expect(made.text).toContain('Your key “Script”');
    expect(made.text).toContain('the old secret works until 16 Mar 2026');
    expect([(await asks(old)).status, (await asks(keyIn(made))).status]).toEqual([200, 200]);
    const again = await person.follow(await person.submit(path, { overlap: '0' }, '/keys'));
    expect(again.text).not.toContain('the old secret works');
    const statuses = [old, keyIn(made), keyIn(again)].map(async (key) => (await asks(key)).status);
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
  });

  it('rotating an API key needs a recent password', async () => {
    test.clock.set('2026-03-15T12:00:00Z');
    await make({ name: 'Script', preset: 'read', expiry: '' });
    test.clock.set('2026-03-15T12:11:00Z');
    const [path = ''] = /\/keys\/[\w-]+\/rotate/.exec((await person.get('/keys')).html) ?? [];
    const refused = await person.submit(path, { overlap: '24', confirm_password: 'guessed' }, '/keys');
    expect([refused.status, refused.html]).toEqual([422, expect.stringMatching(/rotate-password-[\w-]+-error/)]);
    const password = 'correct horse';
    expect((await person.submit(path, { overlap: '24', confirm_password: password }, '/keys')).status).toBe(303);
  });

  it('a user can revoke an own API key only, after a confirmation', async () => {
    const key = keyIn(await make({ name: 'Old script', preset: 'read', expiry: '' }));
    const page = await person.get('/keys');
    expect(page.text).toContain('Programs that use this key stop working immediately.');
    const [path = ''] = /\/keys\/[\w-]+\/revoke/.exec(page.html) ?? [];
    const stranger = new Visitor(test.url);
    await stranger.signUp(`person-${++people}@example.com`);
    await stranger.submit(path, {}, '/settings');
    expect((await asks(key)).status).toBe(200);
    await person.submit(path, {}, '/keys');
    expect((await asks(key)).status).toBe(401);
    expect((await person.get('/keys')).text).toMatch(/Old script \S+ Revoked/);
  });
});
