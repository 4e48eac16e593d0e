import { type Tidemark, startTidemark } from '../../../src/kit/testing.js';
import { UsersRepository } from '../../../src/kit.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type ScriptedRequest, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.js';
import { oidcSignIn } from './oidc-sign-in.js';

describe('sign-in by an identity provider', () => {
  let provider: ScriptedServer;
  let database: TestDatabase;
  let tidemark: Tidemark;
  let known: string;

  beforeAll(async () => {
    provider = await startScriptedServer();
    database = await createTestDatabase();
    const environment = { OIDC_ISSUER: provider.url, OIDC_CLIENT_ID: 'tidemark', OIDC_CLIENT_SECRET: 'secret' };
    tidemark = await startTidemark([oidcSignIn], { environment, database: database.address });
    const { userId } = await tidemark.person();
    known = (await tidemark.get(UsersRepository).findById(userId))!.email;
  });
  afterAll(async () => {
    await tidemark.stop();
    await database.drop();
    await provider.stop();
  });

  const open = (path: string, cookie = '') => fetch(tidemark.url + path, { redirect: 'manual', headers: { cookie } });
  const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split(';')[0]!);

  /** The provider knows the person by this address. */
  const identify = (email: string, isVerified = true) =>
    provider.play(({ path }: ScriptedRequest) => {
      if (path.startsWith('/token')) return { body: JSON.stringify({ access_token: 'open' }) };
      if (path.startsWith('/person')) return { body: JSON.stringify({ email, email_verified: isVerified }) };
      const endpoints = {
        authorization_endpoint: '/authorize',
        token_endpoint: '/token',
        userinfo_endpoint: '/person',
      };
      const absolute = Object.entries(endpoints).map(([name, path]) => [name, provider.url + path]);
      return { body: JSON.stringify(Object.fromEntries(absolute)) };
    });

  async function signIn(changeState = (state: string) => state): Promise<Response> {
    const leaving = await open('/sign-in');
    const target = new URL(leaving.headers.get('location')!);
    expect(target.searchParams.get('redirect_uri')).toBe(`${tidemark.url}/sign-in/callback`);
    const state = changeState(target.searchParams.get('state')!);
    return open(`/sign-in/callback?code=abc&state=${state}`, cookiesOf(leaving).join('; '));
  }

  it('signs in the person whose address the identity provider has verified', async () => {
    identify(known);
    const answer = await signIn();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect((await open('/', cookiesOf(answer).join('; '))).status).toBe(200);
  });

  it.each([
    ['an address that nobody here has', () => identify('stranger@example.com'), undefined],
    ['an address that is not verified', () => identify(known, false), undefined],
    ['a state of another browser', () => identify(known), () => 'other'],
  ])('refuses %s', async (_, play, changeState) => {
    play();
    const answer = await signIn(changeState);
    expect([answer.status, cookiesOf(answer).some((cookie) => /^tidemark=./.test(cookie))]).toEqual([403, false]);
  });
});
