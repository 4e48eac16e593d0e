import {
  isList,
  type ScriptedGlobalProvider,
  startScriptedGlobalProvider,
  wireAccount,
  wireTransaction,
} from '../../test/support/scripted-global-provider.js';
import type { ScriptedAnswer } from '../../test/support/scripted-server.js';
import { ProviderError } from '../bank-provider/provider-error.js';

const PAGE = '<!doctype html><html><body><h1>Bad gateway</h1> Ray 7f3a</body></html>';
const limited = (retryAfter?: string): ScriptedAnswer => ({
  status: 429,
  body: { error: 'Too Many Requests', message: 'Slow down.' },
  headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
});
const DISGUISED = { status: 500, body: { error: 'Internal Server Error', message: 'Upstream: 429 Too Many Requests' } };

describe('asking for the list of accounts when the provider', () => {
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
    ['breaks off in the middle', [{ body: '{"accounts":[', breaksOff: true }]],
    ['is under maintenance three times', [{ status: 503, body: PAGE }, { status: 502 }, { status: 504 }]],
    ['asks for a short wait', [limited('1')]],
    ['asks for a short wait three times', [limited('1'), limited('2'), limited('0')]],
  ] as const)('%s, brings everything after retries', async (_, troubles) => {
    troubled(...troubles);
    const { accounts, problems } = await global.snapshot();
    expect([accounts[0]?.transactions.length, problems]).toEqual([1, []]);
    expect(global.waits).toEqual([2, 4, 8].slice(0, troubles.length));
  });

  it('asks for a wait of up to half a minute, gets it', async () => {
    troubled(limited('20'));
    await global.snapshot();
    expect(global.waits).toEqual([20]);
  });

  it.each([
    ['always breaks the connection', 'reset', /was cut off \(ECONNRESET\)/],
    ['never answers', 'silence', /did not answer within 60 s/],
    ['drips its answer too slowly', { body: '{"accounts"', hangs: true }, /did not answer within 60 s/],
    ['is always broken', { status: 500, body: PAGE }, /not working at the moment \(status 500\)/],
    ['is always behind a broken gateway', { status: 502, body: PAGE }, /not working at the moment \(status 502\)/],
    ['is always under maintenance', { status: 503, body: PAGE }, /not working at the moment \(status 503\)/],
    ['always waits in vain', { status: 504 }, /not working at the moment \(status 504\)/],
  ] as const)('%s, fails after three retries, each of them counted', async (_, answer, words) => {
    global.server.play(answer);
    const { kind, message, retryable } = await refusal();
    expect([kind, retryable]).toEqual(['network', true]);
    expect(message).toMatch(words);
    expect([global.server.requests.length, global.spent()]).toEqual([4, 4]);
  });

  it.each([
    ['for long', limited('900'), 900, 1],
    ['without a word for how long', limited(), 3_600, 1],
    ['for a short while, again and again', limited('1'), 1, 4],
    ['as trouble of its own', DISGUISED, 3_600, 4],
    ['as being overloaded', { ...DISGUISED, status: 503 }, 3_600, 4],
    ['as being overloaded for long', { ...DISGUISED, status: 503, headers: { 'Retry-After': '900' } }, 900, 1],
    ['with a page of a front end', { status: 403, body: PAGE }, 3_600, 1],
    ['with a code of a front end', { status: 403, body: 'error code: 1010' }, 3_600, 1],
    ['with nothing', { status: 403 }, 3_600, 1],
  ])('turns requests away %s, is left alone', async (_, answer, seconds, requests) => {
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
  ])('does not accept the key any more (status %i), needs a person', async (status, body) => {
    global.server.play({ status, body });
    const error = await refusal();
    expect([error.kind, error.needsPerson]).toEqual(['access_revoked', true]);
    expect(error.message).toMatch(/subscription is active, or reconnect with a new key. Accounts and history stay/);
    expect(global.server.requests).toHaveLength(1);
  });

  it('wants to be paid, says so', async () => {
    global.server.play({ status: 402 });
    expect((await refusal()).kind).toBe('payment_required');
  });

  it.each([
    ['a page', PAGE, /is a web page/],
    ['half an answer', '{"accounts":[{"id":1', /is cut off or damaged/],
    ['nothing', '', /is empty/],
    ['a bare list', [wireAccount()], /not as expected at \$: /],
    ['something else', { hello: 'world' }, /not as expected at \$\.accounts/],
    ['no account that can be read', { accounts: [{ name: 'A' }, 7] }, /not as expected at \$\.accounts\[0\]\.id/],
  ])('answers 200 with %s, takes nothing from it and may ask again later', async (_, body, words) => {
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
  ])('answers %i, does not ask a second time', async (status, words) => {
    global.server.play({ status, headers: { Location: `${global.server.url}/elsewhere` }, body: { redirect: true } });
    const { kind, message } = await refusal();
    expect([kind, message]).toEqual(['unexpected_reply', expect.stringMatching(words)]);
    expect(global.server.requests).toHaveLength(1);
  });

  it('is used by many connections, gets one request at a time of each, and hangs for no other', async () => {
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
