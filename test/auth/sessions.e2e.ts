import { resetPassword } from '../../src/operate/cli/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { betweenCheckAndOutcome } from '../support/held-check.js';
import { Visitor } from '../../src/kit/visitor.js';

const PASSWORD = 'correct horse';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const START = '2026-03-15T12:00:00Z';

describe('sessions of the pages', () => {
  let test: TestApp;
  let people = 0;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test.stop());

  async function newcomer(): Promise<{ person: Visitor; email: string }> {
    const person = new Visitor(test.url);
    const email = `session-${++people}@example.com`;
    await person.signUp(email);
    return { person, email };
  }

  async function signIn(email: string, headers: Record<string, string> = {}, visitor = new Visitor(test.url)) {
    await visitor.post('/sign-in', { email, password: PASSWORD }, { 'Sec-Fetch-Site': 'same-origin', ...headers });
    return visitor;
  }

  const isSignedIn = async (visitor: Visitor) => (await visitor.get('/settings')).status === 200;

  it('sessions are listed with device, address and times, the current one first', async () => {
    const { person, email } = await newcomer();
    test.clock.set('2026-03-16T08:30:00Z');
    await signIn(email, { 'User-Agent': FIREFOX, 'X-Forwarded-For': '203.0.113.9' });
    expect((await person.get('/settings')).text).toMatch(
      /node This device .*Firefox on Linux 203\.0\.113\.9 · signed in 16 Mar 2026, 09:30 · last used 16 Mar 2026, 09:30/,
    );
  });

  it('a user ends own sessions one by one or all others at once, and none of another user', async () => {
    const { person, email } = await newcomer();
    const phone = await signIn(email, { 'User-Agent': FIREFOX });
    const laptop = await signIn(email);
    const stranger = await newcomer();
    const [, end = ''] = /(\/settings\/sessions\/[\w-]+\/end)"(?:(?!<li).)*?Sign out Firefox/s.exec(
      (await person.get('/settings')).html,
    )!;
    await stranger.person.submit(end, {}, '/settings');
    expect(await isSignedIn(phone)).toBe(true);
    await person.submit(end, {}, '/settings');
    expect([await isSignedIn(phone), await isSignedIn(laptop), await isSignedIn(person)]).toEqual([false, true, true]);
    await person.submit('/settings/sessions/end', {}, '/settings');
    expect([await isSignedIn(laptop), await isSignedIn(person)]).toEqual([false, true]);
    expect((await person.get('/settings')).text).not.toContain('Sign out everywhere else');
  });

  it('a session ends 90 days after the sign-in, even if it is used', async () => {
    const { person } = await newcomer();
    for (const day of ['2026-04-10', '2026-05-05', '2026-05-30', '2026-06-13']) {
      test.clock.set(`${day}T11:00:00Z`);
      expect([day, await isSignedIn(person)]).toEqual([day, true]);
    }
    test.clock.set('2026-06-13T12:00:01Z');
    expect(await isSignedIn(person)).toBe(false);
  });

  it('each sign-in gets a new session token, and the previous one is invalid', async () => {
    const { person, email } = await newcomer();
    const before = person.cookie('tidemark')!;
    const { html } = await person.get('/settings');
    const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
    await person.post('/sign-in', { email, password: PASSWORD, form_token });
    expect(person.cookie('tidemark')).not.toBe(before);
    expect(await isSignedIn(person)).toBe(true);
    const old = await new Visitor(test.url).get('/settings', { cookie: `tidemark=${before}` });
    expect(old.status).toBe(303);
  });

  it('sessions end when the operator sets a new password', async () => {
    const { person, email } = await newcomer();
    await expect(resetPassword(test.app, { email: 'nobody@example.com' })).rejects.toThrow('There is no user');
    await resetPassword(test.app, { email, password: 'battery staple' });
    expect(await isSignedIn(person)).toBe(false);
    expect(await isSignedIn(await signIn(email))).toBe(false);
    await person.post('/sign-in', { email, password: 'battery staple' });
    expect((await person.get('/settings')).text).toContain('Password set by the operator');
  });

  it('a session does not begin if the password is replaced while it is checked', async () => {
    const { email } = await newcomer();
    const late = new Visitor(test.url);
    const answer = await betweenCheckAndOutcome(
      test,
      () => late.post('/sign-in', { email, password: PASSWORD }),
      () => resetPassword(test.app, { email, password: 'battery staple' }),
    );
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('or password is wrong.')]);
    expect(await isSignedIn(late)).toBe(false);
  });

  it('a user has at most 50 sessions: a new one ends the one unused for longest', async () => {
    const { person, email } = await newcomer();
    await test.em().execute(
      `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at)
       select user_id, sha256(n::text::bytea || token_hash), s.created_at, last_seen_at + n * interval '1 minute', expires_at
       from sessions s join users u on u.id = user_id, generate_series(1, 49) n where u.email = ?`,
      [email],
    );
    expect(await isSignedIn(person)).toBe(true);
    await signIn(email);
    expect(await isSignedIn(person)).toBe(false);
  });

  describe('confirming the password', () => {
    const key = { name: 'Sheet', preset: 'read', expiry: '' };

    it.each([
      ['a key', '/keys', key, '/keys'],
      ['an invitation', '/settings/invitations', {}, '/settings'],
    ])('making %s needs a password of the last ten minutes', async (_, path, fields: Record<string, string>, from) => {
      const { person } = await newcomer();
      expect((await person.get(from)).html).not.toContain('confirm_password');
      test.clock.set('2026-03-15T12:10:00Z');
      expect((await person.get(from)).html).toContain('name="confirm_password"');
      const missing = await person.submit(path, fields, from);
      expect([missing.status, missing.text]).toEqual([
        422,
        expect.stringContaining('Enter your password to continue.'),
      ]);
      const wrong = await person.submit(path, { ...fields, confirm_password: 'guessed' }, from);
      expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Wrong password.')]);
      expect((await person.submit(path, { ...fields, confirm_password: PASSWORD }, from)).status).toBeLessThan(400);
      expect((await person.submit(path, fields, from)).status).toBeLessThan(400);
    });

    it('wrong passwords of a confirmation are counted together with sign-ins', async () => {
      const { person } = await newcomer();
      test.clock.set('2026-03-15T12:10:00Z');
      for (let i = 0; i < 10; i++) await person.submit('/keys', { ...key, confirm_password: 'guessed' });
      expect((await person.submit('/keys', { ...key, confirm_password: PASSWORD })).status).toBe(429);
    });
  });
});

describe('activity page', () => {
  it('the activity page shows all events page by page, and no page number out of range', async () => {
    const test = await startTestApp();
    try {
      const person = new Visitor(test.url);
      await person.signUp();
      await test.em().execute(
        `insert into audit_events (user_id, occurred_at, kind) select id, '2026-01-01', 'sign_in_failed'
         from users, generate_series(1, 60)`,
      );
      expect((await person.get('/settings/activity')).text).toMatch(
        /Signed in .*Signed up .*Failed sign-in .*Page 1 of 2/,
      );
      expect((await person.get('/settings/activity?page=999')).text).toContain('Page 2 of 2');
      expect((await person.get('/settings')).text).toMatch(/Recent activity Signed in .*All activity/);
    } finally {
      await test.stop();
    }
  });
});
