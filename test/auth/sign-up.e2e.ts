import { SignUpService } from '../../src/auth/sign-up.service.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { isOnCitus } from '../support/database.js';
import { Visitor } from '../../src/kit/visitor.js';

/** More than an instance has sessions. */
const AT_ONCE = 40;
const PASSWORD = 'correct horse';

interface Answered {
  email: string;
  status: number;
  retryAfter: string | null;
}

describe('concurrent sign-ups', () => {
  let test: TestApp;

  afterEach(() => test.stop());

  async function signUpAtOnce(fields: Record<string, string> = {}): Promise<Answered[]> {
    const signUp = async (_: unknown, index: number) => {
      const email = `newcomer-${index}@example.com`;
      const response = await fetch(`${test.url}/sign-up`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ email, password: PASSWORD, time_zone: 'UTC', ...fields }),
      });
      await response.text();
      return { email, status: response.status, retryAfter: response.headers.get('retry-after') };
    };
    return Promise.all(Array.from({ length: AT_ONCE }, signUp));
  }

  /** Those who are in; everybody else was refused or asked to come back. */
  function signedUp(answers: Answered[], refused: number[]): Answered[] {
    for (const { status, retryAfter } of answers) {
      expect([303, 429, 503, ...refused]).toContain(status);
      if (status === 429 || status === 503) expect(Number(retryAfter)).toBeGreaterThan(0);
    }
    return answers.filter(({ status }) => status === 303);
  }

  async function expectService(email: string, users: number): Promise<void> {
    expect((await fetch(`${test.url}/health/ready`)).status).toBe(200);
    const [count] = await test.em().execute<{ users: number }[]>('select count(*)::int as users from users');
    expect(count?.users).toBe(users);
    const signIn = await new Visitor(test.url).submit('/sign-in', { email, password: PASSWORD });
    expect(signIn.headers.get('location')).toBe('/');
  }

  it('of many who sign up at once exactly one becomes the first user', async () => {
    test = await startTestApp();
    const [first, ...others] = signedUp(await signUpAtOnce(), [403]);
    expect(others).toEqual([]);
    await expectService(first!.email, 1);
  });

  it('the first person of a service that listens for other machines signs up with the code of its start, and nobody without', async () => {
    test = await startTestApp({ HOST: '0.0.0.0' });
    const signUp = test.app.get(SignUpService);
    const path = (await signUp.firstSignUpPath())!;
    const invitation = new URL(path, test.url).searchParams.get('invitation')!;
    const visitor = new Visitor(test.url);
    expect((await visitor.get('/sign-up')).text).toContain('Open the link that the start of this server has printed');
    const fields = { email: 'anna@example.com', password: PASSWORD };
    for (const code of ['', 'guessed']) {
      expect((await visitor.post('/sign-up', { ...fields, invitation: code })).status).toBe(403);
    }
    expect((await visitor.submit('/sign-up', { ...fields, invitation }, path)).status).toBe(303);
    expect(await signUp.firstSignUpPath()).toBeNull();
    const another = { ...fields, email: 'eve@example.com', invitation };
    expect((await new Visitor(test.url).post('/sign-up', another)).status).toBe(403);
  });

  it('of many who sign up at once exactly one uses an invitation', async () => {
    test = await startTestApp();
    await new Visitor(test.url).signUp();
    const [host] = await test.em().execute<{ id: string }[]>('select id from users');
    const invitation = await test.app.get(SignUpService).invite(host!.id);
    const [guest, ...others] = signedUp(await signUpAtOnce({ invitation }), [403]);
    expect(others).toEqual([]);
    await expectService(guest!.email, 2);
  });

  it('all who sign up at once are answered where everybody may sign up', async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
    const users = signedUp(await signUpAtOnce(), []);
    expect(users.length).toBeGreaterThan(0);
    await expectService(users[0]!.email, users.length);
  });

  // Citus has no triggers.
  (isOnCitus ? it.skip : it)(
    'signing up says that an e-mail address is taken when the command line was faster',
    async () => {
      test = await startTestApp({ SIGN_UP: 'open' });
      await test.em().execute(`
      create function be_faster() returns trigger language plpgsql as $$
        begin raise unique_violation using constraint = 'users_email_key'; end $$;
      create trigger be_faster before insert on users for each row execute function be_faster()`);
      const answer = await new Visitor(test.url).signUp();
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('A user with this e-mail')]);
    },
  );
});
