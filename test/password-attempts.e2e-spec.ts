import { PasswordAttemptsService } from '../src/auth/password-attempts.service.js';
import { readConfig } from '../src/config/config.js';
import { PreparedStatements } from '../src/database/prepared.js';
import { startTestApp, StillClock, type TestApp } from './support/app.js';
import { until } from './support/syncs.js';
import { type Visit, Visitor } from './support/visitor.js';

const PASSWORD = 'correct horse';
const MAX_ATTEMPTS = 10;
const PARALLEL_GUESSES = 200;

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

async function spendAttempts(times: number, attempt: () => Promise<Visit>): Promise<void> {
  for (let i = 0; i < times; i++) expect((await attempt()).status).toBe(422);
}

function expectLimited({ status, headers, text }: Visit): void {
  expect(status).toBe(429);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(600);
  expect(seconds).toBeLessThanOrEqual(900);
  expect(text).toMatch(/Too many attempts\. Wait \d+ minutes, then try again\./);
}

describe('trying passwords', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
  });
  afterAll(() => test.stop());

  it('is stopped after ten wrong ones, for a quarter of an hour, for this e-mail address only', async () => {
    const { email } = await newcomer(test);
    const other = await newcomer(test);
    await spendAttempts(MAX_ATTEMPTS, () => signIn(test, email, 'wrong'));
    expectLimited(await signIn(test, email, PASSWORD));
    expectLimited(await signIn(test, ` ${email.toUpperCase()} `, PASSWORD));
    expect((await signIn(test, other.email, PASSWORD)).status).toBe(303);
    await test.em().execute('update password_attempts set expire = expire - 900000');
    expect((await signIn(test, email, PASSWORD)).status).toBe(303);
  });

  it('costs nothing while they are right', async () => {
    const { email } = await newcomer(test);
    for (let i = 0; i < MAX_ATTEMPTS + 2; i++) expect((await signIn(test, email, PASSWORD)).status).toBe(303);
    await spendAttempts(MAX_ATTEMPTS - 1, () => signIn(test, email, 'wrong'));
    expect((await signIn(test, email, PASSWORD)).status).toBe(303);
    await spendAttempts(1, () => signIn(test, email, 'wrong'));
    expectLimited(await signIn(test, email, PASSWORD));
  });

  it('costs nothing while they are right, however many are under way at once', async () => {
    const attempts = test.app.get(PasswordAttemptsService);
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

  it('in a new window is not given back by those of the last one', async () => {
    const attempts = test.app.get(PasswordAttemptsService);
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

  it('is limited for unknown e-mail addresses just so', async () => {
    await spendAttempts(MAX_ATTEMPTS, () => signIn(test, 'nobody@example.com', 'wrong'));
    expectLimited(await signIn(test, 'nobody@example.com', 'wrong'));
  });

  it('is one count whatever an untrusted proxy says', async () => {
    const { email } = await newcomer(test);
    let host = 0;
    await spendAttempts(MAX_ATTEMPTS, () => signIn(test, email, 'wrong', from(`203.0.113.${++host}`)));
    expectLimited(await signIn(test, email, PASSWORD, from('198.51.100.1')));
  });

  it('is counted together with those that change it or delete everything', async () => {
    const { email, visitor } = await newcomer(test);
    const change = (password: string) =>
      visitor.submit('/settings/password', { password, new_password: 'battery staple' }, '/settings');
    const remove = (password: string) => visitor.submit('/settings/delete', { delete_password: password }, '/settings');
    await spendAttempts(4, () => change('wrong'));
    await spendAttempts(4, () => remove('wrong'));
    await spendAttempts(2, () => signIn(test, email, 'wrong'));
    expectLimited(await change(PASSWORD));
    expectLimited(await remove(PASSWORD));
    expect((await visitor.get('/settings')).status).toBe(200);
    await test.em().execute('update password_attempts set expire = expire - 900000');
    expect((await change(PASSWORD)).status).toBe(303);
    expect((await remove('battery staple')).headers.get('location')).toBe('/sign-in?notice=deleted');
  });

  it('leaves nothing behind for long, and no e-mail address at all', async () => {
    await test.em().execute(`insert into password_attempts values ('old', 3, 1), ('new', 3, 99999999999999)`);
    await signIn(test, 'someone@example.com', 'wrong');
    const rows: { key: string }[] = await test.em().execute('select key from password_attempts');
    const keys = rows.map(({ key }) => key);
    expect(keys).toContain('new');
    expect(keys).not.toContain('old');
    expect(keys.join(' ')).not.toContain('someone');
  });

  it('is not possible while attempts cannot be counted', async () => {
    const away = new PreparedStatements({ clientUrl: 'postgresql://127.0.0.1:1/none' }, readConfig([], {}, {}));
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

  it('counts an attempt for nothing when the password could not be checked', async () => {
    const attempts = test.app.get(PasswordAttemptsService);
    const attempt = { email: 'b@example.com', client: '::1' };
    for (let i = 0; i < MAX_ATTEMPTS + 1; i++)
      await expect(attempts.check(attempt, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
    expect(await attempts.check(attempt, () => Promise.resolve(false))).toBe('wrong');
  });
});

describe('trying passwords through a trusted proxy', () => {
  const environment = { SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' };
  let one: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    one = await startTestApp(environment);
    other = await startTestApp(environment, new StillClock(), one.database);
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  it('in parallel, on two instances, gains nothing and locks the owner out of no other address', async () => {
    const { email } = await newcomer(one);
    const guesser = from('203.0.113.9');
    const guesses = Promise.all(
      Array.from({ length: PARALLEL_GUESSES }, (_, i) => signIn(i % 2 ? one : other, email, `guess ${i}`, guesser)),
    );
    const owner = await until(async () => {
      const visit = await signIn(one, email, PASSWORD, from('198.51.100.7'));
      // Busy is no refusal.
      return visit.status === 503 ? null : visit;
    }, 'signed in');
    expect(owner.status).toBe(303);
    const statuses = (await guesses).map(({ status }) => status);
    const tried = statuses.filter((status) => status === 422).length;
    expect(tried).toBeGreaterThan(0);
    expect(tried).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(statuses.filter((status) => ![422, 429, 503].includes(status))).toEqual([]);
  });

  it('with many e-mail addresses keeps nobody elsewhere from signing in', async () => {
    const { email } = await newcomer(one);
    let isOver = false;
    let guesses = 0;
    const guess = async () => {
      const statuses = new Set<number>();
      while (!isOver) {
        const address = `random-${++guesses}@example.com`;
        const { status, headers } = await signIn(one, address, 'wrong', from('203.0.113.5'));
        statuses.add(status);
        if (status !== 422) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      return [...statuses];
    };
    const guesser = Promise.all(Array.from({ length: PARALLEL_GUESSES / 5 }, guess));
    const owner: number[] = [];
    for (let i = 0; i < 5; i++) owner.push((await signIn(one, email, PASSWORD, from('198.51.100.8'))).status);
    isOver = true;
    const seen = new Set((await guesser).flat());
    expect(owner).toEqual([303, 303, 303, 303, 303]);
    expect(seen).toEqual(new Set([422, 429]));
  });

  it('is counted by the client’s address, and by the network of an IPv6 one', async () => {
    const { email } = await newcomer(one);
    let host = 0;
    await spendAttempts(MAX_ATTEMPTS, () => signIn(one, email, 'wrong', from(`2001:db8::${(++host).toString(16)}`)));
    expectLimited(await signIn(other, email, PASSWORD, from('2001:db8::ffff:1')));
    expect((await signIn(other, email, PASSWORD, from('2001:db8:0:100::1'))).status).toBe(303);
    // What the client wrote itself stands in front of what the proxy saw.
    expectLimited(await signIn(other, email, PASSWORD, from('198.51.100.1, 2001:db8::1')));
  });
});
