import {
  isList,
  type ScriptedGlobalProvider,
  startScriptedGlobalProvider,
  wireAccount,
  wireTransaction,
} from '../../../test/support/scripted-global-provider.js';
import type { ScriptedAnswer } from '../../../test/support/scripted-server.js';
import { ProviderError } from '../provider-error.js';

const PAGE = '<!doctype html><html><body><h1>Bad gateway</h1> Ray 7f3a</body></html>';
const limited = (retryAfter?: string): ScriptedAnswer => ({
  status: 429,
  body: { error: 'Too Many Requests', message: 'Slow down.' },
  headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
});
const DISGUISED = { status: 500, body: { error: 'Internal Server Error', message: 'Upstream: 429 Too Many Requests' } };

describe('errors of the global provider for the list of accounts', () => {
  let global: ScriptedGlobalProvider;

  beforeEach(async () => {
    global = await startScriptedGlobalProvider();
  });
  afterEach(() => global.server.stop());

  /** From now on the list is answered so, in turn, and then as it should be. */
  function troubled(...answers: readonly ScriptedAnswer[]): void {
    const rest = [...answers];
    const accounts = [{ wire: wireAccount(), transactions: [wireTransaction('T-1', '2026-03-12', -1)] }];
    global.serve(accounts, (reply, request) => (isList(request) ? (rest.shift() ?? reply) : reply));
  }

  async function refusal(): Promise<ProviderError> {
    const error = await global.snapshot().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ProviderError);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/gp-7f3a91c2|127\.0\.0\.1|Ray 7f3a/);
    return error as ProviderError;
  }

  it.each([
    ['breaks the connection once', ['reset']],
    ['does not answer twice', ['silence', 'silence']],
    ['breaks off in the middle of a response', [{ body: '{"accounts":[', breaksOff: true }]],
    ['answers 503, 502 and 504', [{ status: 503, body: PAGE }, { status: 502 }, { status: 504 }]],
    ['asks for a short wait once', [limited('1')]],
    ['asks for a short wait three times', [limited('1'), limited('2'), limited('0')]],
  ] as const)('a snapshot succeeds after retries if the provider %s', async (_, troubles) => {
    troubled(...troubles);
    const { accounts, problems } = await global.snapshot();
    expect([accounts[0]?.transactions.length, problems]).toEqual([1, []]);
    expect(global.waits).toEqual([2, 4, 8].slice(0, troubles.length));
  });

  it('a retry waits for the seconds in Retry-After if they are no more than thirty', async () => {
    troubled(limited('20'));
    await global.snapshot();
    expect(global.waits).toEqual([20]);
  });

  it.each([
    ['always breaks the connection', 'reset', /was cut off \(ECONNRESET\)/],
    ['never answers', 'silence', /did not answer within 60 s/],
    ['sends its response too slowly', { body: '{"accounts"', hangs: true }, /did not answer within 60 s/],
    ['always answers 500', { status: 500, body: PAGE }, /not working at the moment \(status 500\)/],
    ['always answers 502', { status: 502, body: PAGE }, /not working at the moment \(status 502\)/],
    ['always answers 503', { status: 503, body: PAGE }, /not working at the moment \(status 503\)/],
    ['always answers 504', { status: 504 }, /not working at the moment \(status 504\)/],
  ] as const)('a snapshot fails after three counted retries if the provider %s', async (_, answer, words) => {
    global.server.play(answer);
    const { kind, message, retryable } = await refusal();
    expect([kind, retryable]).toEqual(['network', true]);
    expect(message).toMatch(words);
    expect([global.server.requests.length, global.spent()]).toEqual([4, 4]);
  });

  it.each([
    ['a 429 with a long Retry-After', limited('900'), 900, 1],
    ['a 429 without Retry-After', limited(), 3_600, 1],
    ['repeated 429s with a short Retry-After', limited('1'), 1, 4],
    ['a 500 that quotes a 429 of its upstream', DISGUISED, 3_600, 4],
    ['a 503 that quotes a 429 of its upstream', { ...DISGUISED, status: 503 }, 3_600, 4],
    ['a 503 with a long Retry-After', { ...DISGUISED, status: 503, headers: { 'Retry-After': '900' } }, 900, 1],
    ['a 403 page of a front end', { status: 403, body: PAGE }, 3_600, 1],
    ['a 403 error code of a front end', { status: 403, body: 'error code: 1010' }, 3_600, 1],
    ['an empty 403', { status: 403 }, 3_600, 1],
  ])('a snapshot fails with rate_limited if the provider answers with %s', async (_, answer, seconds, requests) => {
    global.server.play(answer);
    const { kind, retryAfterSeconds, needsPerson } = await refusal();
    expect([kind, retryAfterSeconds, needsPerson]).toEqual(['rate_limited', seconds, false]);
    expect(global.server.requests).toHaveLength(requests);
  });

  it.each([
    [401, { error: 'Unauthorized', message: 'No key was sent.' }],
    [403, { error: 'Forbidden', message: 'Subscription inactive.' }],
    [401, PAGE],
    [401, ''],
    [403, { message: 'This key is not accepted.' }],
  ])('access is revoked and a person is needed if the key is refused with status %i', async (status, body) => {
    global.server.play({ status, body });
    const error = await refusal();
    expect([error.kind, error.needsPerson]).toEqual(['access_revoked', true]);
    expect(error.message).toMatch(/subscription is active, or reconnect with a new key. Accounts and history stay/);
    expect(global.server.requests).toHaveLength(1);
  });

  it('a snapshot fails with payment_required if the provider answers 402', async () => {
    global.server.play({ status: 402 });
    expect((await refusal()).kind).toBe('payment_required');
  });

  it.each([
    ['an HTML page', PAGE, /is a web page/],
    ['truncated JSON', '{"accounts":[{"id":1', /is cut off or damaged/],
    ['an empty body', '', /is empty/],
    ['a bare list', [wireAccount()], /not as expected at \$: /],
    ['other JSON', { hello: 'world' }, /not as expected at \$\.accounts/],
    ['no readable account', { accounts: [{ name: 'A' }, 7] }, /not as expected at \$\.accounts\[0\]\.id/],
  ])('a snapshot takes nothing from a 200 response with %s and may be retried later', async (_, body, words) => {
    global.server.play({ body });
    const { kind, retryable, message } = await refusal();
    expect([kind, retryable]).toEqual(['unexpected_reply', true]);
    expect(message).toMatch(words);
    expect(global.server.requests).toHaveLength(1);
  });

  it.each([
    [
      308,
      /redirects to another address, and Tidemark follows no redirects; check GLOBALPROVIDER_BASE_URL \(status 308\)/,
    ],
    [400, /refuses the request \(status 400\)/],
    [404, /has nothing at this address; check GLOBALPROVIDER_BASE_URL/],
    [501, /does not offer this \(status 501\)/],
  ])('a snapshot is not retried at once if the provider answers %i', async (status, words) => {
    global.server.play({ status, headers: { Location: `${global.server.url}/elsewhere` }, body: { redirect: true } });
    const { kind, message } = await refusal();
    expect([kind, message]).toEqual(['unexpected_reply', expect.stringMatching(words)]);
    expect(global.server.requests).toHaveLength(1);
  });

  it('each connection sends one request at a time and does not wait for requests of other connections', async () => {
    const held = Promise.withResolvers<void>();
    const hanging = Array.from({ length: 11 }, () => global.snapshot({ budget: { spend: () => held.promise } }));
    let open = 0;
    let most = 0;
    global.serve([{ wire: wireAccount() }, { wire: wireAccount({ id: 2 }) }], (reply) => {
      open--;
      return reply;
    });
    const { accounts } = await global.snapshot({
      budget: { spend: () => Promise.resolve(void (most = Math.max(most, ++open))) },
    });
    expect([accounts.length, most]).toEqual([2, 1]);
    held.resolve();
    await Promise.all(hanging);
  });
});
