import {
  API_KEY,
  isList,
  type ScriptedGlobalProvider,
  startScriptedGlobalProvider,
  wireAccount,
} from '../../../test/support/scripted-global-provider.js';
import { type ScriptedServer, startScriptedServer } from '../../../test/support/scripted-server.js';
import { ProviderError } from '../provider-error.js';
import { Secret } from '../../platform/config/secret.js';

describe('connect with an API key', () => {
  let global: ScriptedGlobalProvider;

  beforeEach(async () => {
    global = await startScriptedGlobalProvider();
    global.serve([{ wire: wireAccount() }]);
  });
  afterEach(() => global.server.stop());

  const connect = (key = API_KEY) => global.provider.connect(new Secret(key));

  async function refusal(): Promise<ProviderError> {
    const error = await connect().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ProviderError);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/gp-7f3a91c2|127\.0\.0\.1/);
    return error as ProviderError;
  }

  it('an API key is tried with one request and returned without surrounding blanks', async () => {
    expect((await connect(` ${API_KEY}\n`)).reveal()).toBe(API_KEY);
    expect(global.server.requests).toHaveLength(1);
    const [request] = global.server.requests;
    expect([request?.method, isList(request!)]).toEqual(['GET', true]);
    expect(request?.headers).toMatchObject({
      'x-api-key': API_KEY,
      'user-agent': expect.stringMatching(/^Tidemark/),
      accept: 'application/json',
    });
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it('connecting an API key does not wait for syncs whose requests hang', async () => {
    const held = Promise.withResolvers<void>();
    const budget = { spend: () => held.promise };
    const syncs = Array.from({ length: 4 }, () => global.snapshot({ budget }));
    expect((await connect()).reveal()).toBe(API_KEY);
    held.resolve();
    await Promise.all(syncs);
  });

  it('an API key that lists no account yet is accepted', async () => {
    global.serve([]);
    expect((await connect()).reveal()).toBe(API_KEY);
  });

  it.each([401, 403])(
    'an API key refused with status %i is reported as not accepted by the provider',
    async (status) => {
      global.server.play({ status, body: { error: 'Unauthorized', message: `no such key ${API_KEY}` } });
      const { kind, message } = await refusal();
      expect(kind).toBe('token_rejected');
      expect(message).toMatch(/does not accept this API key.*subscription is active/);
      expect(global.server.requests).toHaveLength(1);
    },
  );

  it.each([
    ['breaks the connection', 'reset', 'network', /ECONNRESET/],
    ['answers 503', { status: 503 }, 'network', /status 503/],
    ['answers 429', { status: 429 }, 'rate_limited', /is limiting requests/],
    [
      'answers 403 with an HTML page',
      { status: 403, body: '<html>Denied</html>' },
      'rate_limited',
      /is limiting requests/,
    ],
    ['answers with an HTML page', { body: '<html>Welcome</html>' }, 'unexpected_reply', /is a web page/],
    ['answers 404', { status: 404 }, 'unexpected_reply', /check GLOBALPROVIDER_BASE_URL/],
  ] as const)('connecting an API key is not retried if the provider %s', async (_, answer, kind, words) => {
    global.server.play(answer);
    const error = await refusal();
    expect([error.kind, error.message]).toEqual([kind, expect.stringMatching(words)]);
    expect(global.server.requests).toHaveLength(1);
  });

  describe('connect at a URL that redirects', () => {
    let foreign: ScriptedServer;

    beforeEach(async () => {
      foreign = await startScriptedServer();
    });
    afterEach(() => foreign.stop());

    it.each([301, 302, 307, 308])(
      'a redirect with status %i never takes the API key to another host',
      async (status) => {
        const body = { redirect: `${foreign.url}/api/v1/accounts`, status };
        global.server.play({ status, headers: { Location: body.redirect }, body });
        const { kind, message } = await refusal();
        expect(kind).toBe('unexpected_reply');
        expect(message).toMatch(
          /redirects to another address, and Tidemark follows no redirects; check GLOBALPROVIDER_BASE_URL/,
        );
        expect([global.server.requests.length, foreign.requests.length]).toEqual([1, 0]);
      },
    );
  });
});
