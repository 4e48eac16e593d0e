import { Secret, TOTP } from 'otpauth';
import { resetPassword, resetSecondFactor } from '../../src/operate/cli/answers.js';
import { secretsOf } from '../../src/platform/config/app-secret.js';
import { countSealedWith, resealCredentials } from '../../src/sync/connections/credentials/reseal-credentials.js';
import { forgetLostCredentials } from '../../src/sync/connections/credentials/forget-lost-credentials.js';
import { withPlainSession } from '../../src/database/plain-session.js';
import { readConfig } from '../../src/platform/config/config.js';
import { CredentialVault } from '../../src/platform/vault/credential-vault.js';
import { startTestApp, StillClock, type TestApp } from '../support/app.js';
import { betweenCheckAndOutcome } from '../support/held-check.js';
import { type Visit, Visitor } from '../../src/kit/visitor.js';

const PASSWORD = 'correct horse';
const PATH = '/settings/second-factor';
const START = '2026-03-15T12:00:00Z';
const STEP_MS = 30_000;
const SECRET = 'the root secret of the tests';

describe('second factor (TOTP)', () => {
  let test: TestApp;
  let people = 0;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test.stop());

  const passSteps = (steps: number) =>
    test.clock.set(new Date(test.clock.now().getTime() + steps * STEP_MS).toISOString());
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: test.clock.now().getTime() + steps * STEP_MS,
    });

  async function newcomer() {
    const person = new Visitor(test.url);
    const email = `factor-${++people}@example.com`;
    await person.signUp(email);
    const [user]: { id: string }[] = await test.em().execute('select id from users where email = ?', [email]);
    return { person, email, userId: user!.id };
  }

  const secretIn = ({ html }: Visit) => /id="factor-key">([^<]+)</.exec(html)![1]!.replaceAll(' ', '');
  const recoveryCodesIn = ({ html }: Visit) =>
    /id="recovery-codes">([^<]+)</.exec(html)?.[1]?.trim().split(/\s+/) ?? [];

  /** With the second factor on. */
  async function protectedPerson() {
    const someone = await newcomer();
    const secret = secretIn(await someone.person.follow(await someone.person.submit(PATH, {})));
    const sent = await someone.person.submit(`${PATH}/confirm`, { code: codeOf(secret) }, PATH);
    const codes = recoveryCodesIn(await someone.person.follow(sent));
    return { ...someone, secret, codes };
  }

  /** Gives the password in a browser of its own. @returns how to give the code */
  async function startSignIn(email: string, headers: Record<string, string> = {}, url = test.url) {
    const from = { 'Sec-Fetch-Site': 'same-origin', ...headers };
    const visitor = new Visitor(url);
    const asked = await visitor.post('/sign-in', { email, password: PASSWORD, next: '/keys' }, from);
    const ticket = /name="ticket" value="([^"]+)"/.exec(asked.html)?.[1] ?? '';
    const give = (code: string) => visitor.post('/sign-in/code', { ticket, code, next: '/keys' }, from);
    return { visitor, asked, ticket, give };
  }

  it('a second factor is set up with a QR code and a key, and enabled by a valid code', async () => {
    const { person, email } = await newcomer();
    const page = await person.follow(await person.submit(PATH, {}));
    expect(page.html).toMatch(/<img class="qr-code" src="data:image\/svg\+xml;base64,/);
    const secret = secretIn(page);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const wrong = await person.submit(`${PATH}/confirm`, { code: codeOf(secret, 5) }, PATH);
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This code is wrong.')]);
    // Until then nobody is asked for a code.
    expect((await startSignIn(email)).asked.headers.get('location')).toBe('/keys');
    const sent = await person.submit(`${PATH}/confirm`, { code: codeOf(secret) }, PATH);
    const on = await person.follow(sent);
    expect(on.text).toMatch(/Authenticator app On Since 15 Mar 2026, 13:00 · 10 of 10 recovery codes left/);
    const codes = recoveryCodesIn(on);
    expect(new Set(codes).size).toBe(10);
    const again = await person.follow(sent);
    expect(again.text).toContain('Recovery codes are shown only once');
    expect(again.html).not.toContain(codes[0]);
    expect(again.html).not.toContain(secret);
  });

  it('enabling a second factor needs a recent password, and an abandoned setup starts again', async () => {
    const { person } = await newcomer();
    const left = secretIn(await person.follow(await person.submit(PATH, {})));
    passSteps(20);
    const stale = await person.get(PATH);
    expect(stale.html).not.toContain('factor-key');
    const refused = await person.submit(`${PATH}/confirm`, { code: codeOf(left) }, PATH);
    const asked = await person.follow(refused);
    expect([refused.status, asked.text]).toEqual([303, expect.stringContaining('To confirm it is you.')]);
    expect(asked.html).not.toContain('factor-key');
    const secret = secretIn(await person.follow(await person.submit(PATH, { confirm_password: PASSWORD })));
    expect(secret).not.toBe(left);
    expect((await person.submit(`${PATH}/confirm`, { code: codeOf(left) }, PATH)).status).toBe(422);
    expect((await person.submit(`${PATH}/confirm`, { code: codeOf(secret) }, PATH)).status).toBe(303);
  });

  it('a sign-in asks for a second factor after the password and accepts each code once', async () => {
    const { email, secret } = await protectedPerson();
    passSteps(1);
    const first = await startSignIn(email);
    expect([first.asked.status, first.asked.text]).toEqual([200, expect.stringContaining('Enter your code')]);
    expect((await first.visitor.get('/keys')).status).toBe(303);
    const code = codeOf(secret);
    const entered = await first.give(code);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/keys']);
    expect((await first.visitor.get('/keys')).status).toBe(200);
    const second = await startSignIn(email);
    const replayed = await second.give(code);
    expect([replayed.status, replayed.text]).toEqual([422, expect.stringContaining('or has already been used')]);
    // An older code than one that was used is no better.
    expect((await second.give(codeOf(secret, -1))).status).toBe(422);
    passSteps(1);
    expect((await second.give(codeOf(secret))).status).toBe(303);
  });

  it('a code of the second factor is accepted once, however many sign-ins use it at the same time', async () => {
    const { email, secret } = await protectedPerson();
    passSteps(1);
    const attempts = [];
    for (let i = 0; i < 4; i++) attempts.push(await startSignIn(email));
    const answers = await Promise.all(attempts.map(({ give }) => give(codeOf(secret))));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422]);
  });

  it('each recovery code replaces the second factor once', async () => {
    const { person, email, codes } = await protectedPerson();
    const [code = ''] = codes;
    expect((await (await startSignIn(email)).give(` ${code.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(303);
    expect((await (await startSignIn(email)).give(code)).status).toBe(422);
    expect((await person.get(PATH)).text).toContain('9 of 10 recovery codes left');
    const renewed = recoveryCodesIn(await person.follow(await person.submit(`${PATH}/recovery-codes`, {}, PATH)));
    expect(renewed).toHaveLength(10);
    expect((await (await startSignIn(email)).give(codes[1]!)).status).toBe(422);
    expect((await (await startSignIn(email)).give(renewed[0]!)).status).toBe(303);
  });

  it('wrong codes of the second factor are limited to ten per user, from any number of addresses', async () => {
    const { email, secret } = await protectedPerson();
    passSteps(1);
    for (let host = 1; host <= 10; host++) {
      const { give } = await startSignIn(email, { 'X-Forwarded-For': `203.0.113.${host}` });
      expect((await give('000000')).status).toBe(422);
    }
    const limited = await (await startSignIn(email, { 'X-Forwarded-For': '198.51.100.7' })).give(codeOf(secret));
    expect([limited.status, Number(limited.headers.get('retry-after')) > 600]).toEqual([429, true]);
  });

  it('a recovery code is accepted when wrong codes of the app, or wrong recovery codes, were tried too often', async () => {
    const { email, codes } = await protectedPerson();
    const { give } = await startSignIn(email);
    for (let i = 0; i < 10; i++) expect((await give('000000')).status).toBe(422);
    expect((await give('000000')).status).toBe(429);
    for (let i = 0; i < 11; i++) expect((await give('aaaa-aaaa-aaaa-aaaa')).status).toBe(422);
    expect((await give(codes[0]!)).status).toBe(303);
  });

  it('changing a second factor needs a password given in the last ten minutes that is still valid', async () => {
    const { email, secret } = await protectedPerson();
    passSteps(1);
    const { give } = await startSignIn(email);
    passSteps(20);
    expect((await give(codeOf(secret))).headers.get('location')).toBe('/sign-in?next=%2Fkeys&notice=code-expired');
    const changing = await protectedPerson();
    passSteps(1);
    const begun = await startSignIn(changing.email);
    const change = { password: PASSWORD, new_password: 'battery staple' };
    expect((await changing.person.submit('/settings/password', change, '/settings')).status).toBe(303);
    expect((await begun.give(codeOf(changing.secret))).headers.get('location')).toBe(
      '/sign-in?next=%2Fkeys&notice=code-expired',
    );
    const forged = await new Visitor(test.url).post('/sign-in/code', { ticket: 'v1.x.y', code: codeOf(secret) });
    expect(forged.headers.get('location')).toBe('/sign-in?next=%2F&notice=code-expired');
    expect((await new Visitor(test.url).follow(forged)).text).toContain('This sign-in has expired.');
  });

  it('a sign-in fails if the password is replaced while the code of the second factor is checked', async () => {
    const { email, secret } = await protectedPerson();
    passSteps(1);
    const { visitor, give } = await startSignIn(email);
    const answer = await betweenCheckAndOutcome(
      test,
      () => give(codeOf(secret)),
      () => resetPassword(test.app, { email, password: 'battery staple' }),
    );
    expect(answer.headers.get('location')).toBe('/sign-in?next=%2Fkeys&notice=code-expired');
    expect((await visitor.get('/keys')).status).toBe(303);
  });

  it('a second factor is disabled with a recent password, or by the operator', async () => {
    const { person, email } = await protectedPerson();
    passSteps(21);
    expect((await person.submit(`${PATH}/remove`, {}, PATH)).status).toBe(422);
    await person.submit(`${PATH}/remove`, { confirm_password: PASSWORD }, PATH);
    expect((await startSignIn(email)).asked.headers.get('location')).toBe('/keys');
    const lost = await protectedPerson();
    await expect(resetSecondFactor(test.app, { email: 'nobody@example.com' })).rejects.toThrow('There is no user');
    expect(await resetSecondFactor(test.app, { email: lost.email })).toMatchObject({ was_on: true });
    expect(await resetSecondFactor(test.app, { email: lost.email })).toMatchObject({ was_on: false });
    expect((await startSignIn(lost.email)).asked.headers.get('location')).toBe('/keys');
    expect((await lost.person.get('/settings/activity')).text).toContain('Second factor turned off by the operator');
  });

  it('deleting a user deletes the second factor, and an export has no secret of it', async () => {
    const { person, userId, secret, codes } = await protectedPerson();
    const { html } = await person.get('/settings/export');
    expect(html).toContain('"type": "second_factor"');
    expect(html).not.toContain(secret);
    expect(html).not.toMatch(new RegExp(`${codes[0]}|code_hash|credential"`));
    const stored = await test.em().execute('select f::text as all from second_factors f');
    expect(JSON.stringify(stored)).not.toContain(secret);
    await person.submit('/settings/delete', { delete_password: PASSWORD }, '/settings');
    for (const table of ['second_factors', 'recovery_codes', 'idempotency_keys'])
      expect(await test.em().execute(`select 1 from ${table} where user_id = ?`, [userId])).toEqual([]);
  });

  it('the second factor is encrypted again with a new APP_SECRET, and disabled if the old one is lost', async () => {
    const { email, secret } = await protectedPerson();
    const rotated = secretsOf(['another root secret', SECRET]);
    const vault = new CredentialVault(rotated);
    const { database } = readConfig([], [], {}, {});
    const [, oldKeyId] = vault.keyIds;
    const counts = await withPlainSession(test.database.address, database, async (session) => {
      const before = await countSealedWith(session);
      await resealCredentials(session, vault);
      return [before, await countSealedWith(session)];
    });
    expect(counts).toEqual([{ [oldKeyId!]: expect.any(Number) }, { [vault.keyIds[0]]: counts[0]![oldKeyId!] }]);
    const clock = new StillClock(new Date('2026-03-15T12:01:00Z'));
    const secrets = ['another root secret'];
    const later = await startTestApp({ SIGN_UP: 'open' }, clock, test.database, undefined, secrets);
    try {
      passSteps(2);
      expect((await (await startSignIn(email, {}, later.url)).give(codeOf(secret))).status).toBe(303);
      const lost = new CredentialVault(secretsOf(['a third root secret']));
      await withPlainSession(test.database.address, database, (session) => forgetLostCredentials(session, lost));
      expect((await startSignIn(email, {}, later.url)).asked.headers.get('location')).toBe('/keys');
    } finally {
      await later.stop();
    }
  });
});
