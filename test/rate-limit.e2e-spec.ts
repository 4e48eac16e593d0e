import { afterThisTest } from './support/after-this-test.js';
import { createClient, send, StillClock, startTestApp, type TestApp, type TestClient } from './support/app.js';

const LIMIT = 120;
const environment = { RATE_LIMIT_PER_MINUTE: String(LIMIT) };

describe('the rate limit', () => {
  let one: TestApp;
  let other: TestApp;
  let client: TestClient;
  const [clock, otherClock] = [new StillClock(), new StillClock()];

  beforeAll(async () => {
    one = await startTestApp(environment, clock);
    other = await startTestApp(environment, otherClock, one.database);
  });
  beforeEach(async () => {
    for (const each of [clock, otherClock]) each.set('2026-03-15T12:00:15Z');
    client = await createClient(one);
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  const ask = ({ url }: TestApp, path = '/api/v1/me') => send(url + path, { headers: { 'X-Api-Key': client.key } });
  const spend = async (app: TestApp, requests: number) =>
    (await Promise.all(Array.from({ length: requests }, () => ask(app)))).filter(({ status }) => status === 200).length;

  it('counts down in the headers of every answer', async () => {
    for (const remaining of [LIMIT - 1, LIMIT - 2]) {
      const { headers } = await ask(one);
      expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
        `${LIMIT}`,
        `${remaining}`,
      ]);
      expect(headers.get('ratelimit-reset')).toBe('45');
    }
  });

  it('lets exactly as many requests through as it says, however many come at once', async () => {
    expect(await spend(one, LIMIT + 30)).toBe(LIMIT);
  });

  it('refuses with the time to wait, and lets in again in the next minute', async () => {
    await spend(one, LIMIT);
    const { status, headers, body } = await ask(one);
    expect(status).toBe(429);
    expect(body).toEqual({
      error: 'rate_limit_exceeded',
      message: 'This API key may make 120 requests per minute.',
      details: { limit: LIMIT, reset_in_seconds: 45 },
    });
    expect([headers.get('retry-after'), headers.get('ratelimit-remaining')]).toEqual(['45', '0']);
    clock.set('2026-03-15T12:01:00Z');
    expect((await ask(one)).status).toBe(200);
  });

  it('is one count for all instances', async () => {
    const spentOnOne = await spend(one, 100);
    const spentOnOther = await spend(other, LIMIT);
    expect(spentOnOne).toBe(100);
    // Never more than the limit; what the first instance took and did not spend may be missing.
    expect(spentOnOther).toBeLessThanOrEqual(20);
    expect(spentOnOther).toBeGreaterThanOrEqual(18);
    expect((await ask(other)).status).toBe(429);
    // The first one has what it took, and finds that no more is left.
    expect(spentOnOne + spentOnOther + (await spend(one, 5))).toBe(LIMIT);
  });

  it('is one count for all instances though the clock of one is a minute ahead', async () => {
    otherClock.set('2026-03-15T12:01:15Z');
    expect(await spend(other, 100)).toBe(100);
    expect(await spend(one, LIMIT)).toBeLessThanOrEqual(20);
  });

  it('is one per key', async () => {
    await spend(one, LIMIT);
    expect((await ask(one)).status).toBe(429);
    client = await createClient(one);
    expect((await ask(one)).status).toBe(200);
  });

  it('comes after a wrong key and before a missing scope and a bad parameter', async () => {
    client = await createClient(one, { scopes: ['accounts:read'] });
    await spend(one, LIMIT);
    expect((await send(`${one.url}/api/v1/me`, { headers: { 'X-Api-Key': 'nobody' } })).status).toBe(401);
    expect((await ask(one, '/api/v1/balances?page[]=1')).status).toBe(429);
    clock.set('2026-03-15T12:01:00Z');
    expect((await ask(one, '/api/v1/balances?page[]=1')).status).toBe(403);
  });

  it('can be switched off', async () => {
    const free = await startTestApp({ RATE_LIMIT_PER_MINUTE: '0' }, clock, one.database);
    afterThisTest(free.stop);
    const { status, headers, body } = await ask(free);
    expect([status, body.limits]).toEqual([200, { requests_per_minute: null }]);
    expect(headers.get('ratelimit-limit')).toBeNull();
  });
});
