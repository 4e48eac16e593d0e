import { afterThisTest } from '../support/after-this-test.js';
import { createClient, send, StillClock, startTestApp, type TestApp, type TestClient } from '../support/app.js';

const LIMIT = 12;
const environment = { RATE_LIMIT_PER_MINUTE: String(LIMIT) };

describe('rate limit of the API', () => {
  let one: TestApp;
  let client: TestClient;
  const clock = new StillClock();

  beforeAll(async () => {
    one = await startTestApp(environment, clock);
  });
  beforeEach(async () => {
    clock.set('2026-03-15T12:00:15Z');
    client = await createClient(one);
  });
  afterAll(() => one.stop());

  const ask = ({ url }: TestApp, path = '/api/v1/me') => send(url + path, { headers: { 'X-Api-Key': client.key } });
  const spend = async (app: TestApp, requests: number) =>
    (await Promise.all(Array.from({ length: requests }, () => ask(app)))).filter(({ status }) => status === 200).length;

  it('a rate limit counts down in the headers of every answer', async () => {
    for (const remaining of [LIMIT - 1, LIMIT - 2]) {
      const { headers } = await ask(one);
      expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
        `${LIMIT}`,
        `${remaining}`,
      ]);
      expect(headers.get('ratelimit-reset')).toBe('45');
    }
  });

  it('a rate limit lets exactly its number of requests through, however many come at once', async () => {
    expect(await spend(one, LIMIT + 3)).toBe(LIMIT);
  });

  it('a request beyond the rate limit is 429 with the time to wait, and the next minute begins anew', async () => {
    await spend(one, LIMIT);
    const { status, headers, body } = await ask(one);
    expect(status).toBe(429);
    expect(body).toEqual({
      error: 'rate_limit_exceeded',
      message: 'This API key may make 12 requests per minute.',
      details: { limit: LIMIT, reset_in_seconds: 45 },
    });
    expect([headers.get('retry-after'), headers.get('ratelimit-remaining')]).toEqual(['45', '0']);
    clock.set('2026-03-15T12:01:00Z');
    expect((await ask(one)).status).toBe(200);
  });

  it('each instance counts the requests of a key by itself', async () => {
    await spend(one, LIMIT);
    const other = await startTestApp(environment, clock, one.database);
    afterThisTest(other.stop);
    expect([(await ask(one)).status, (await ask(other)).status]).toEqual([429, 200]);
  });

  it('each API key has a rate limit of its own', async () => {
    await spend(one, LIMIT);
    expect((await ask(one)).status).toBe(429);
    client = await createClient(one);
    expect((await ask(one)).status).toBe(200);
  });

  it('a request is refused as 401, then 429, then 403, then 422', async () => {
    client = await createClient(one, { scopes: ['accounts:read'] });
    await spend(one, LIMIT);
    expect((await send(`${one.url}/api/v1/me`, { headers: { 'X-Api-Key': 'nobody' } })).status).toBe(401);
    expect((await ask(one, '/api/v1/balances?page[]=1')).status).toBe(429);
    clock.set('2026-03-15T12:01:00Z');
    const later = [await ask(one, '/api/v1/balances?page[]=1'), await ask(one, '/api/v1/accounts?page[]=1')];
    expect(later.map(({ status, headers }) => [status, headers.get('ratelimit-remaining')])).toEqual([
      [403, `${LIMIT - 1}`],
      [422, `${LIMIT - 2}`],
    ]);
  });

  it('RATE_LIMIT_PER_MINUTE=0 switches the rate limit off', async () => {
    const free = await startTestApp({ RATE_LIMIT_PER_MINUTE: '0' }, clock, one.database);
    afterThisTest(free.stop);
    const { status, headers, body } = await ask(free);
    expect([status, body.limits]).toEqual([200, { requests_per_minute: null }]);
    expect(headers.get('ratelimit-limit')).toBeNull();
  });
});
