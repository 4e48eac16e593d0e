import {
  type ScriptedUsProvider,
  startScriptedUsProvider,
  wireAccount,
  wireSet,
} from '../../../test/support/scripted-us-provider.js';
import { ProviderError } from '../provider-error.js';
import { Secret } from '../../platform/config/secret.js';

const CODE = 'ONE-TIME-CODE';

describe('claiming a setup token', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  function connect(): Promise<Secret> {
    const claimUrl = `${us.server.url}/simplefin/claim/${CODE}`;
    return us.provider.connect(new Secret(Buffer.from(claimUrl).toString('base64')));
  }

  async function refusal(): Promise<ProviderError> {
    const error = await connect().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ProviderError);
    expect((error as ProviderError).message).not.toContain(CODE);
    return error as ProviderError;
  }

  it('a setup token is claimed by one POST with an empty body, and the response is the access URL', async () => {
    us.server.play({ body: `${us.credential.reveal()}\n` });
    expect((await connect()).reveal()).toBe(us.credential.reveal());
    expect(us.server.requests).toHaveLength(1);
    const [request] = us.server.requests;
    expect(request).toMatchObject({ method: 'POST', path: `/simplefin/claim/${CODE}`, body: '' });
    expect(request?.headers['content-length']).toBe('0');
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it.each(['Forbidden', '<html><h1>Forbidden</h1></html>'])(
    'a claim refused with 403 and body %s says that the setup token was used, has expired or is compromised',
    async (body) => {
      us.server.play({ status: 403, body });
      const { kind, message } = await refusal();
      expect(kind).toBe('token_rejected');
      expect(message).toMatch(/already used, has expired, or is compromised/);
      expect(message).toMatch(/Create a new setup token at the provider, and disable the old one/);
      expect(us.server.requests).toHaveLength(1);
    },
  );

  it('a claim whose response is lost says that the setup token may be used up, and is not retried', async () => {
    us.server.play('reset');
    const { kind, message } = await refusal();
    expect(kind).toBe('network');
    expect(message).toMatch(/The setup token may be used up now/);
    expect(us.server.requests).toHaveLength(1);
  });

  it('a claim that could not be sent says that the setup token is still unused', async () => {
    await us.server.stop();
    const { kind, message } = await refusal();
    expect(kind).toBe('network');
    expect(message).toMatch(/ECONNREFUSED.*was not used; you can try it again/);
  });

  it.each([
    ['an HTML page', '<html>Welcome</html>'],
    ['an empty body', ''],
    ['a URL without credentials', 'http://127.0.0.1/simplefin'],
    ['a URL of another host', 'http://user:password@evil.test/simplefin'],
  ])('a 200 response to a claim with %s is rejected as an access URL', async (_, body) => {
    us.server.play({ body });
    expect((await refusal()).kind).toBe('unexpected_reply');
  });

  it('a redirect in response to a claim is not followed', async () => {
    us.server.play({ status: 302, headers: { Location: `${us.server.url}/front-page` } });
    const { kind, message } = await refusal();
    expect(kind).toBe('unexpected_reply');
    expect(message).toMatch(/redirects to another one, and Tidemark follows no redirects/);
    expect(us.server.requests).toHaveLength(1);
  });

  it.each([
    [404, 'unexpected_reply', /status 404.*Create a new setup token/],
    [500, 'unexpected_reply', /status 500.*Create a new setup token/],
    [429, 'rate_limited', /Try again later/],
  ])('a claim answered with status %i is sent once and its error says what to do', async (status, kind, words) => {
    us.server.play({ status, body: '<html>' });
    const error = await refusal();
    expect([error.kind, error.message]).toEqual([kind, expect.stringMatching(words)]);
    expect(us.server.requests).toHaveLength(1);
  });

  it('percent-encoded credentials in a claimed access URL are decoded for authentication', async () => {
    const awkward = us.server.url.replace('//', '//us%40er:p%2Fa%3Ass%40w%25rd@') + '/simplefin/';
    us.server.play(({ method }) => ({ body: method === 'POST' ? awkward : wireSet([wireAccount()]) }));
    await us.snapshot({ credential: await connect() });
    const request = us.server.requests[1];
    expect(request?.path).toBe('/simplefin/accounts');
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('us@er:p/a:ss@w%rd').toString('base64')}`);
  });
});
