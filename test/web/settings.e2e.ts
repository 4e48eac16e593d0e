import { resetPassword } from '../../src/operate/cli/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { ACTIVITY } from '../support/database.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { sessionWaitsForLock } from '../support/lock-wait.js';
import { until } from '../support/syncs.js';
import { type Visit, Visitor } from '../../src/kit/visitor.js';

const PASSWORD = 'correct horse';

describe('settings page', () => {
  let test: TestApp;
  let people = 0;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
  });
  afterAll(() => test.stop());

  async function newcomer(): Promise<{ person: Visitor; email: string; userId: string }> {
    const person = new Visitor(test.url);
    const email = `person-${++people}@example.com`;
    await person.signUp(email);
    const [user]: { id: string }[] = await test.em().execute('select id from users where email = ?', [email]);
    return { person, email, userId: user!.id };
  }

  const send = (person: Visitor, path: string, fields: Record<string, string>) =>
    person.submit(`/settings/${path}`, fields, '/settings');

  it('concurrent password changes change the password once', async () => {
    const { person } = await newcomer();
    const page = await person.get('/settings');
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.html)![1]!;
    const answers = await Promise.all(
      [1, 2].map((number) =>
        person.post('/settings/password', { form_token, password: PASSWORD, new_password: `another horse ${number}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  });

  it('a password form that is sent twice says that the password was changed', async () => {
    const { person } = await newcomer();
    const { html } = await person.get('/settings');
    const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
    const submit = () =>
      person.post('/settings/password', { form_token, password: PASSWORD, new_password: 'battery staple' });
    for (const answer of [await submit(), await submit()]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/settings?done=password']);
    }
  });

  it('a password form says that the password was changed when another copy of it was faster', async () => {
    const { person, email } = await newcomer();
    const changed = { email, password: 'battery staple' };
    const holder = test.em();
    await holder.begin();
    await holder.execute('lock table password_attempts in exclusive mode');
    const sent = send(person, 'password', { password: PASSWORD, new_password: changed.password });
    await sessionWaitsForLock(test);
    await resetPassword(test.app, changed);
    await holder.rollback();
    expect((await sent).headers.get('location')).toBe('/settings?done=password');
  });

  it('a user has at most 20 open invitations', async () => {
    const { person, userId } = await newcomer();
    const insert = `insert into invitations (user_id, token_hash, expires_at)
      select ?, sha256(n::text::bytea), ? from generate_series(1, 19) n`;
    await test.em().execute(insert, [userId, new Date('2026-03-20T00:00:00Z')]);
    expect((await send(person, 'invitations', {})).status).toBe(303);
    const refused = await send(person, 'invitations', {});
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('20 open invitations')]);
  });

  it('a user can change the timezone', async () => {
    const { person, userId } = await newcomer();
    expect((await person.get('/settings')).html).toMatch(/value="Europe\/Prague" selected/);
    const refused = await send(person, 'time-zone', { time_zone: 'Europe/Atlantis' });
    expect([refused.status, refused.html.includes('id="time_zone-error"')]).toEqual([422, true]);
    const saved = await send(person, 'time-zone', { time_zone: 'Asia/Tokyo' });
    const page = await person.get(saved.headers.get('location') ?? '');
    expect(page.text).toContain('Time zone saved.');
    expect(page.html).toMatch(/value="Asia\/Tokyo" selected/);
    await send(person, 'time-zone', { time_zone: 'aSIA/cALCUTTA' });
    expect((await person.get('/settings')).html).toMatch(/value="Asia\/Kolkata" selected/);
    expect(await test.em().execute(`select time_zone from users where id = ?`, [userId])).toEqual([
      { time_zone: 'Asia/Kolkata' },
    ]);
  });

  it('the settings list timezones by their current names and keep a saved older name', async () => {
    const { person, userId } = await newcomer();
    await test.em().execute(`update users set time_zone = 'Asia/Calcutta' where id = ?`, [userId]);
    const { html } = await person.get('/settings');
    expect(html).toMatch(/value="Asia\/Kolkata" selected/);
    expect(html).toContain('value="Europe/Kyiv"');
    expect(html).not.toMatch(/Calcutta|Europe\/Kiev/);
  });

  it('a change of theme and number format applies to this user only', async () => {
    const { person, userId } = await newcomer();
    expect((await person.get('/settings')).html).toContain('<html lang="en">');
    const unknown = await send(person, 'appearance', { theme: 'sepia', number_format: 'de-DE' });
    expect(unknown.status).toBe(422);
    expect((await person.get('/settings')).html).toContain('<html lang="en">');
    const saved = await send(person, 'appearance', { theme: 'dark', number_format: 'de-DE' });
    const page = await person.follow(saved);
    expect(page.text).toContain('Appearance saved.');
    expect(page.html).toContain('<html lang="en" data-theme="dark">');
    expect(page.html).toMatch(/value="de-DE" selected/);

    const connection = await createConnection(test, userId);
    await writeSnapshot(test, connection, snapshotAccount({ name: 'Checking', balance: balance(123_456) }));
    expect((await person.get('/')).text).toContain('1.234,56 $');
    expect((await (await newcomer()).person.get('/settings')).html).toContain('<html lang="en">');
  });

  it('a password change ends every other session', async () => {
    const { person, email } = await newcomer();
    const elsewhere = new Visitor(test.url);
    await elsewhere.submit('/sign-in', { email, password: PASSWORD });
    const wrong = await send(person, 'password', { password: 'guessed', new_password: 'short' });
    expect(wrong.text).toContain('Wrong password.');
    expect(wrong.text).toContain('Use at least 8 characters.');
    const own = await send(person, 'password', { password: PASSWORD, new_password: email });
    expect(own.text).toContain('Do not use your e-mail address as your password.');
    await send(person, 'password', { password: PASSWORD, new_password: 'battery staple' });
    expect((await person.get('/settings?done=password')).text).toContain('Password changed.');
    expect((await elsewhere.get('/')).status).toBe(303);
    const signIn = (password: string) => new Visitor(test.url).submit('/sign-in', { email, password });
    expect((await signIn(PASSWORD)).status).toBe(422);
    expect((await signIn('battery staple')).status).toBe(303);
  });

  it('the password stays the same if the other sessions cannot be ended', async () => {
    const { person, email } = await newcomer();
    const elsewhere = new Visitor(test.url);
    await elsewhere.submit('/sign-in', { email, password: PASSWORD });
    await test.em().execute(`
      create function keep_session() returns trigger language plpgsql as $$ begin raise 'kept'; end $$;
      create trigger keep_session before delete on sessions for each row execute function keep_session()`);
    try {
      expect((await send(person, 'password', { password: PASSWORD, new_password: 'battery staple' })).status).toBe(500);
    } finally {
      await test.em().execute('drop trigger keep_session on sessions');
    }
    expect((await new Visitor(test.url).submit('/sign-in', { email, password: PASSWORD })).status).toBe(303);
    expect((await elsewhere.get('/')).status).toBe(200);
  });

  it('a user can export all own data as NDJSON, and none of other users', async () => {
    const { person, userId, email } = await newcomer();
    const connection = await createConnection(test, userId);
    const transactions = [transaction('2026-03-10', -1_234, { description: 'Corner bakery' })];
    await writeSnapshot(test, connection, snapshotAccount({ balance: balance(5_000), transactions }));
    // With “download” a browser would save the page to sign in as the export, once the session has ended.
    expect((await person.get('/settings')).html).toContain('href="/settings/export">');
    const { headers, html: body } = await person.get('/settings/export');
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(headers.get('content-disposition')).toContain('tidemark.ndjson');
    expect(headers.get('cache-control')).toBe('no-store');
    const lines = body.trimEnd().split('\n');
    expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => 'object'));
    expect(body).toContain(email);
    expect(body).toContain('Corner bakery');
    expect(body).not.toMatch(/password_hash|argon2|key_hash|"credential"/);
    const { person: stranger } = await newcomer();
    expect((await stranger.get('/settings/export')).html).not.toContain('Corner bakery');
  });

  it('a user can delete everything after entering the password', async () => {
    const { person, email, userId } = await newcomer();
    const connection = await createConnection(test, userId);
    await writeSnapshot(test, connection, snapshotAccount({ balance: balance(5_000) }));
    const refused = await send(person, 'delete', { delete_password: 'guessed' });
    expect([refused.status, refused.html.includes('id="delete_password-error"')]).toEqual([422, true]);
    const done = await send(person, 'delete', { delete_password: PASSWORD });
    expect(done.headers.get('location')).toBe('/sign-in?notice=deleted');
    for (const table of ['accounts', 'balances', 'connections', 'sessions']) {
      expect(await test.em().execute(`select 1 from ${table} where user_id = ?`, [userId])).toEqual([]);
    }
    expect((await person.get('/')).status).toBe(303);
    expect((await new Visitor(test.url).submit('/sign-in', { email, password: PASSWORD })).status).toBe(422);
  });

  it('deleting a user during the progress update of a sync causes no deadlock', async () => {
    const { person, userId } = await newcomer();
    const { id } = await createConnection(test, userId);
    await test.em().execute(
      `insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at)
       values (?, gen_random_uuid(), ?, 'person', 'running', 'asking', now())`,
      [userId, id],
    );
    const step = (text: string) => `update sync_runs set step = '${text}' where user_id = ? returning 1`;
    const deletions: Promise<Visit>[] = [];
    const sync = test.em();
    await sync.begin();
    try {
      // As every write of a sync begins.
      await sync.execute('select 1 from connections where user_id = ? for no key update', [userId]);
      await sync.execute(step('balances'), [userId]);
      deletions.push(send(person, 'delete', { delete_password: PASSWORD }));
      await until(async () => {
        const waiting = `select 1 from ${ACTIVITY} where datname = current_database() and wait_event_type = 'Lock'`;
        return (await test.em().execute<unknown[]>(waiting)).length > 0 || null;
      }, 'waiting for the sync');
      // A run that the transaction has changed already is checked against its connection again.
      expect(await sync.execute(step('transactions'), [userId])).toHaveLength(1);
      await sync.commit();
    } catch (error) {
      await sync.rollback();
      throw error;
    }
    const [done] = await Promise.all(deletions);
    expect(done!.headers.get('location')).toBe('/sign-in?notice=deleted');
    expect(await test.em().execute('select 1 from sync_runs where user_id = ?', [userId])).toEqual([]);
  });
});

describe('invitations', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.stop());

  it('an invitation lets one user sign up, once', async () => {
    const host = new Visitor(test.url);
    await host.signUp();
    const made = await host.submit('/settings/invitations', {}, '/settings');
    const { html } = await host.follow(made);
    expect((await host.follow(made)).text).toContain('An invitation is shown only once');
    const [, path = '', invitation = ''] = /(\/sign-up\?invitation=([\w-]+))/.exec(html) ?? [];
    const guest = new Visitor(test.url);
    expect((await guest.get(path)).status).toBe(200);
    const fields = { email: 'guest@example.com', password: PASSWORD, invitation };
    expect((await guest.submit('/sign-up', fields, path)).headers.get('location')).toBe('/');
    expect((await guest.get('/')).text).toContain('Connect your first bank');
    expect((await new Visitor(test.url).get(path)).text).toContain('This invitation cannot be used');
    expect((await host.get('/settings')).html).not.toContain(invitation);
  });

  it('revoking an invitation that was just used says that it is used', async () => {
    const host = new Visitor(test.url);
    await host.post('/sign-in', { email: 'anna@example.com', password: PASSWORD });
    const made = await host.follow(await host.submit('/settings/invitations', {}, '/settings'));
    const [, invitation = ''] = /\/sign-up\?invitation=([\w-]+)/.exec(made.html) ?? [];
    const [revoke = ''] = /\/settings\/invitations\/\w+\/revoke/.exec(made.html) ?? [];
    await new Visitor(test.url).post('/sign-up', { email: 'fast@example.com', password: PASSWORD, invitation });
    const { text } = await host.follow(await host.submit(revoke, {}, '/settings'));
    expect(text).toContain('This invitation was used or has expired.');
    expect(text).not.toContain('Invitation revoked');
    expect(text).toContain('Invitation used');
    expect(text).not.toContain('fast@example.com');
  });

  it('an invitation is listed until it is used, and can be revoked by its creator', async () => {
    const host = new Visitor(test.url);
    await host.post(
      '/sign-in',
      { email: 'guest@example.com', password: PASSWORD },
      { 'Sec-Fetch-Site': 'same-origin' },
    );
    const made = await host.follow(await host.submit('/settings/invitations', {}, '/settings'));
    const [, link = ''] = /(\/sign-up\?invitation=[\w-]+)/.exec(made.html) ?? [];
    expect((await host.get('/settings')).text).toMatch(/Created .* Not used yet · expires /);
    const [revoke = ''] = /\/settings\/invitations\/\w+\/revoke/.exec(made.html) ?? [];
    const other = new Visitor(test.url);
    await other.post(
      '/sign-in',
      { email: 'anna@example.com', password: PASSWORD },
      { 'Sec-Fetch-Site': 'same-origin' },
    );
    expect((await other.get('/settings')).html).not.toContain(revoke);
    await other.submit(revoke, {}, '/settings');
    expect((await new Visitor(test.url).get(link)).status).toBe(200);
    expect((await new Visitor(test.url).get(link)).text).not.toContain('This invitation cannot be used');
    const form_token = /name="form_token" value="([^"]+)"/.exec((await host.get('/settings')).html)![1]!;
    for (let sent = 0; sent < 2; sent++)
      expect((await host.follow(await host.post(revoke, { form_token }))).text).toContain('Invitation revoked.');
    expect((await new Visitor(test.url).get(link)).text).toContain('This invitation cannot be used');
    const { text } = await host.get('/settings');
    expect(text).not.toContain('Not used yet');
    expect(text).toContain('Invitation revoked');
  });
});
