import {
  type ScriptedUsProvider,
  startScriptedUsProvider,
  wireAccount,
  wireSet,
} from '../../../test/support/scripted-us-provider.js';
import { ProviderError } from '../provider-error.js';
import { storedUntil } from '../../../test/support/scripted-server.js';

const PAGE = '<!doctype html><html><body><h1>Access denied</h1> Ray 7f3a</body></html>';
const OWN_403 = { errlist: [{ code: 'gen.auth', msg: 'Forbidden' }], accounts: [], connections: [] };

describe('errors of the US provider', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  async function refusal(): Promise<ProviderError> {
    const error = await us.snapshot().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ProviderError);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/password|127\.0\.0\.1|Ray 7f3a/);
    return error as ProviderError;
  }

  it.each([
    ['breaks the connection once', ['reset']],
    ['breaks the connection twice', ['reset', 'reset']],
    ['does not answer once', ['silence']],
    ['does not answer twice', ['silence', 'silence']],
    ['breaks off in the middle of a response', [{ body: '{"errlist":[', breaksOff: true }]],
    ['answers 503, 502 and 500', [{ status: 503, body: PAGE }, { status: 502 }, { status: 500 }]],
  ] as const)('a snapshot succeeds after retries if the provider %s', async (_, troubles) => {
    us.server.play(...troubles, { body: wireSet([wireAccount()]) });
    const { accounts, problems } = await us.snapshot({
      historyFrom: '2026-03-01',
      covered: storedUntil({ 'ACT-1': '2026-03-14' }),
    });
    expect([accounts.length, problems]).toEqual([1, []]);
    expect(us.spent()).toBe(troubles.length + 2);
  });

  it.each([
    ['always breaks the connection', 'reset', /was cut off \(ECONNRESET\)/],
    ['never answers', 'silence', /did not answer within 60 s/],
    ['sends its response too slowly', { body: '{"errlist"', hangs: true }, /did not answer within 60 s/],
    ['always answers 500', { status: 500, body: PAGE }, /not working at the moment \(status 500\)/],
    ['always answers 502', { status: 502, body: PAGE }, /not working at the moment \(status 502\)/],
    ['always answers 503', { status: 503, body: PAGE }, /not working at the moment \(status 503\)/],
  ] as const)('a snapshot fails after three counted retries if the provider %s', async (_, answer, words) => {
    us.server.play(answer);
    const { kind, message, retryable } = await refusal();
    expect([kind, retryable]).toEqual(['network', true]);
    expect(message).toMatch(words);
    expect([us.server.requests.length, us.spent()]).toEqual([4, 4]);
  });

  it.each([
    [403, OWN_403],
    [401, OWN_403],
    [403, { errlist: [{ code: 'gen.auth', msg: 'Forbidden' }] }],
    [403, { errors: ['Forbidden'], accounts: [] }],
    [200, OWN_403],
  ])('access is revoked and a person is needed if the provider itself answers %i', async (status, body) => {
    us.server.play({ status, body });
    const error = await refusal();
    expect([error.kind, error.needsPerson]).toEqual(['access_revoked', true]);
    expect(error.message).toMatch(/Create a new setup token.*Accounts and history stay/);
    expect(us.server.requests).toHaveLength(1);
  });

  it.each([
    ['a page with 403', 403, PAGE],
    ['a page with 401', 401, PAGE],
    ['plain text with 403', 403, 'error code: 1010'],
    ['an empty body with 403', 403, ''],
    ['other JSON with 403', 403, { success: false, errors: [{ code: 1020, message: 'Access denied' }] }],
    ['a page with 429', 429, PAGE],
  ])('a snapshot keeps the credential and is retried hours later if a front end sends %s', async (_, status, body) => {
    us.server.play({ status, body });
    const { kind, needsPerson, retryAfterSeconds, message } = await refusal();
    expect([kind, needsPerson]).toEqual(['rate_limited', false]);
    // Nobody can tell it from the page by which an older server refuses a revoked access.
    expect(/for more than a day, create a new setup token/.test(message)).toBe(status !== 429);
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(3_600);
    expect(us.server.requests).toHaveLength(1);
  });

  it('a snapshot is retried after the seconds in Retry-After', async () => {
    us.server.play({ status: 429, headers: { 'Retry-After': '900' } });
    expect((await refusal()).retryAfterSeconds).toBe(900);
  });

  it('a snapshot fails with payment_required and quotes the provider if it answers 402', async () => {
    us.server.play({ status: 402, body: { errors: ['Subscription <b>payment</b> is due.'], accounts: [] } });
    const { kind, needsPerson, message } = await refusal();
    expect([kind, needsPerson]).toEqual(['payment_required', true]);
    expect(message).toMatch(/The provider reports: “Subscription payment is due.”$/);
    us.server.play({ status: 402, body: PAGE });
    expect((await refusal()).kind).toBe('payment_required');
  });

  it.each([
    ['an HTML page', PAGE, /is a web page/],
    ['truncated JSON', '{"errlist":[],"accounts":[{"id":"A', /is cut off or damaged/],
    ['an empty body', '', /is empty/],
    ['other JSON', { hello: 'world' }, /not as expected at \$\.accounts/],
    ['no readable account', { accounts: [{ name: 'A' }, 7] }, /not as expected at \$\.accounts\[0\]\.id/],
    ['accounts that are not a list', { accounts: {} }, /not as expected at \$\.accounts/],
  ])('a snapshot takes nothing from a 200 response with %s and may be retried later', async (_, body, words) => {
    us.server.play({ body });
    const { kind, retryable, message } = await refusal();
    expect([kind, retryable]).toEqual(['unexpected_reply', true]);
    expect(message).toMatch(words);
  });

  it.each([
    [302, /redirects to another address, and Tidemark follows no redirects \(status 302\)/],
    [400, /refuses the request \(status 400\)/],
    [404, /refuses the request \(status 404\)/],
  ])('a snapshot is not retried at once if the provider answers %i', async (status, words) => {
    us.server.play({ status, headers: { Location: `${us.server.url}/front-page` } });
    const { kind, message } = await refusal();
    expect(kind).toBe('unexpected_reply');
    expect(message).toMatch(words);
    expect(us.server.requests).toHaveLength(1);
  });

  it('a snapshot sends no request if the request budget is used up', async () => {
    const usedUp = new ProviderError('rate_limited', 'used up');
    await expect(us.snapshot({ budget: { spend: () => Promise.reject(usedUp) } })).rejects.toBe(usedUp);
    expect(us.server.requests).toEqual([]);
  });
});
