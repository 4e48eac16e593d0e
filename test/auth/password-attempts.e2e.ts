import { PasswordAttemptsService } from '../../src/auth/password-attempts.service.js';
import { readConfig } from '../../src/platform/config/config.js';
import { PlainPool } from '../../src/database/plain-pool.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { type Visit, Visitor } from '../../src/kit/visitor.js';

const PASSWORD = 'correct horse';
const MAX_ATTEMPTS = 10;
/** As a client on this machine is counted. */
const LOOPBACK = '127.0.0.1';

const ownForm = { 'Sec-Fetch-Site': 'same-origin' };
const from = (address: string) => ({ ...ownForm, 'X-Forwarded-For': address });

let people = 0;

async function newcomer({ url }: TestApp): Promise<{ email: string; visitor: Visitor }> {
  const visitor = new Visitor(url);
  const email = `guessed-${++people}@example.com`;
  await visitor.signUp(email, PASSWORD);
  return { email, visitor };
}

const signIn = ({ url }: TestApp, email: string, password: string, headers: Record<string, string> = ownForm) =>
  new Visitor(url).post('/sign-in', { email, password }, headers);

function expectLimited({ status, headers, text }: Visit): void {
  expect(status).toBe(429);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(600);
  expect(seconds).toBeLessThanOrEqual(900);
  expect(text).toMatch(/Too many attempts\. Wait \d+ minutes, then try again\./);
}

describe('limit of password attempts', () => {
  let test: TestApp;
  /** The same service behind a proxy that it trusts. */
  let proxied: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
    proxied = await startTestApp({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' }, test.clock, test.database);
  });
  afterAll(async () => {
    await proxied.stop();
    await test.stop();
  });

  const attemptsAt = ({ app }: TestApp) => app.get(PasswordAttemptsService);

  /** Wrong passwords that nobody has to hash. */
  async function guess(email: string, times: number, client = LOOPBACK): Promise<void> {
    for (let i = 0; i < times; i++)
      expect(await attemptsAt(test).check({ email, client }, () => Promise.resolve(false))).toBe('wrong');
  }

  it('signing in is refused after ten wrong passwords, for a quarter of an hour, for that e-mail address only', async () => {
    const { email } = await newcomer(test);
    const other = await newcomer(test);
    for (let i = 0; i < MAX_ATTEMPTS; i++) expect((await signIn(test, email, 'wrong')).status).toBe(422);
    expectLimited(await signIn(test, email, PASSWORD));
    expectLimited(await signIn(test, ` ${email.toUpperCase()} `, PASSWORD));
    expect((await signIn(test, other.email, PASSWORD)).status).toBe(303);
    await test.em().execute('update password_attempts set expire = expire - 900000');
    expect((await signIn(test, email, PASSWORD)).status).toBe(303);
  });

  it('right passwords cost no attempt', async () => {
    const { email } = await newcomer(test);
    const attempt = { email, client: LOOPBACK };
    for (let i = 0; i < MAX_ATTEMPTS + 2; i++)
      expect(await attemptsAt(test).check(attempt, () => Promise.resolve(true))).toBe('right');
    await guess(email, MAX_ATTEMPTS - 1);
    expect((await signIn(test, email, PASSWORD)).status).toBe(303);
    expect((await signIn(test, email, 'wrong')).status).toBe(422);
    expectLimited(await signIn(test, email, PASSWORD));
  });

  it('right passwords cost no attempt, however many are checked at once', async () => {
    const attempts = attemptsAt(test);
    const attempt = { email: 'parallel@example.com', client: '::1' };
    const isStarted = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<boolean>();
    let started = 0;
    const tries = Array.from({ length: MAX_ATTEMPTS * 2 }, () =>
      attempts.check(attempt, () => {
        if (++started === MAX_ATTEMPTS) isStarted.resolve();
        return answer.promise;
      }),
    );
    await isStarted.promise;
    // Beside ten under way, one more is refused.
    expect(await attempts.check(attempt, () => Promise.resolve(true))).toEqual({ waitSeconds: expect.any(Number) });
    answer.resolve(true);
    await Promise.all(tries);
    for (let i = 0; i < MAX_ATTEMPTS; i++)
      expect(await attempts.check(attempt, () => Promise.resolve(false))).toBe('wrong');
    const refused = await attempts.check(attempt, () => Promise.resolve(true));
    expect(refused).toEqual({ waitSeconds: expect.any(Number) });
  });

  it('a right password of the last quarter of an hour gives no attempt of the new one back', async () => {
    const attempts = attemptsAt(test);
    const attempt = { email: 'late@example.com', client: '::1' };
    const passQuarters = (count: number) =>
      test.em().execute('update password_attempts set expire = expire - ?', [count * 900_000]);
    const check = await attempts.check(attempt, async () => {
      await passQuarters(1);
      await attempts.check(attempt, () => Promise.resolve(false));
      // The window began a quarter of an hour after the one before.
      await passQuarters(-1);
      return true;
    });
    expect(check).toBe('right');
    for (let i = 1; i < MAX_ATTEMPTS; i++)
      expect(await attempts.check(attempt, () => Promise.resolve(false))).toBe('wrong');
    const refused = await attempts.check(attempt, () => Promise.resolve(true));
    expect(refused).toEqual({ waitSeconds: expect.any(Number) });
  });

  it('parallel guesses at two instances are ten in all, and lock the owner out at no other address', async () => {
    const { email } = await newcomer(test);
    const tenAreTried = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<boolean>();
    let tried = 0;
    const guesses = Array.from({ length: MAX_ATTEMPTS * 4 }, (_, i) =>
      attemptsAt(i % 2 ? test : proxied).check({ email, client: '203.0.113.9' }, () => {
        if (++tried === MAX_ATTEMPTS) tenAreTried.resolve();
        return answer.promise;
      }),
    );
    await tenAreTried.promise;
    expectLimited(await signIn(proxied, email, PASSWORD, from('203.0.113.9')));
    expect((await signIn(proxied, email, PASSWORD, from('198.51.100.7'))).status).toBe(303);
    answer.resolve(false);
    const results = await Promise.all(guesses);
    expect([tried, results.filter((result) => result === 'wrong').length]).toEqual([MAX_ATTEMPTS, MAX_ATTEMPTS]);
  });

  it('wrong passwords of strangers keep no device out that has signed in before, however many its address sends', async () => {
    const { email, visitor } = await newcomer(test);
    await visitor.submit('/sign-out', {}, '/');
    const strangers = Array.from({ length: 20 }, (_, i) => signIn(test, `stranger-${i}@example.com`, 'wrong'));
    const [known] = await Promise.all([visitor.post('/sign-in', { email, password: PASSWORD }), ...strangers]);
    expect(known.status).toBe(303);
  });

  it('attempts are limited for unknown e-mail addresses, too', async () => {
    await guess('nobody@example.com', MAX_ATTEMPTS - 1);
    expect((await signIn(test, 'nobody@example.com', 'wrong')).status).toBe(422);
    expectLimited(await signIn(test, 'nobody@example.com', 'wrong'));
  });

  it('attempts are counted by the address of the connection where the proxy is not trusted', async () => {
    const { email } = await newcomer(test);
    await guess(email, MAX_ATTEMPTS - 1);
    expect((await signIn(test, email, 'wrong', from('203.0.113.1'))).status).toBe(422);
    expectLimited(await signIn(test, email, PASSWORD, from('198.51.100.1')));
  });

  it('attempts behind a trusted proxy are counted by the client’s address, or the network of an IPv6 address', async () => {
    const { email } = await newcomer(test);
    await guess(email, MAX_ATTEMPTS - 2, '2001:db8::/56');
    for (const host of ['1', '2']) {
      expect((await signIn(proxied, email, 'wrong', from(`2001:db8::${host}`))).status).toBe(422);
    }
    expectLimited(await signIn(proxied, email, PASSWORD, from('2001:db8::ffff:1')));
    expect((await signIn(proxied, email, PASSWORD, from('2001:db8:0:100::1'))).status).toBe(303);
    // What the client wrote itself stands in front of what the proxy saw.
    expectLimited(await signIn(proxied, email, PASSWORD, from('198.51.100.1, 2001:db8::1')));
  });

  it('attempts to sign in count together with those to change the password or to delete everything', async () => {
    const { email, visitor } = await newcomer(test);
    const change = (password: string) =>
      visitor.submit('/settings/password', { password, new_password: 'battery staple' }, '/settings');
    const remove = (password: string) => visitor.submit('/settings/delete', { delete_password: password }, '/settings');
    await guess(email, MAX_ATTEMPTS - 2);
    for (const attempt of [change, remove]) expect((await attempt('wrong')).status).toBe(422);
    expectLimited(await change(PASSWORD));
    expectLimited(await remove(PASSWORD));
    expectLimited(await signIn(test, email, PASSWORD));
    expect((await visitor.get('/settings')).status).toBe(200);
    await test.em().execute('update password_attempts set expire = expire - 900000');
    expect((await change(PASSWORD)).status).toBe(303);
    expect((await remove('battery staple')).headers.get('location')).toBe('/sign-in?notice=deleted');
  });

  it('counts of attempts are removed when they end, and hold no e-mail address', async () => {
    await test.em().execute(`insert into password_attempts values ('old', 3, 1), ('new', 3, 99999999999999)`);
    await signIn(test, 'someone@example.com', 'wrong');
    const rows: { key: string }[] = await test.em().execute('select key from password_attempts');
    const keys = rows.map(({ key }) => key);
    expect(keys).toContain('new');
    expect(keys).not.toContain('old');
    expect(keys.join(' ')).not.toContain('someone');
  });

  it('no password is checked while attempts cannot be counted', async () => {
    const away = new PlainPool({ clientUrl: 'postgresql://127.0.0.1:1/none' }, readConfig([], [], {}, {}));
    try {
      let checks = 0;
      const check = new PasswordAttemptsService(away, test.clock).check(
        { email: 'a@example.com', client: '::1' },
        () => {
          checks++;
          return Promise.resolve(true);
        },
      );
      await expect(check).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      expect(checks).toBe(0);
    } finally {
      await away.onApplicationShutdown();
    }
  });

  it('a password that could not be checked costs no attempt', async () => {
    const attempts = attemptsAt(test);
    const attempt = { email: 'b@example.com', client: '::1' };
    for (let i = 0; i < MAX_ATTEMPTS + 1; i++)
      await expect(attempts.check(attempt, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
    expect(await attempts.check(attempt, () => Promise.resolve(false))).toBe('wrong');
  });
});
