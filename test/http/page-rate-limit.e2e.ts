import { RequestLimiterService } from '../../src/auth/request-limiter.service.js';
import { StillClock, startTestApp, type TestApp } from '../support/app.js';
import { rawRequest } from '../support/raw-request.js';
import { Visitor } from '../../src/kit/visitor.js';

const LIMIT = 8;
const LIMIT_OF_NETWORK = 10 * LIMIT;
const environment = { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUSTED_PROXIES: 'loopback', SIGN_UP: 'open' };

describe('rate limit of the pages', () => {
  let tidemark: TestApp;
  let minute = 0;
  let people = 0;
  const clock = new StillClock();

  beforeAll(async () => {
    tidemark = await startTestApp(environment, clock);
  });
  // Each test has a minute of its own.
  beforeEach(() => clock.set(`2026-03-15T12:${String(minute++).padStart(2, '0')}:15Z`));
  afterAll(() => tidemark.stop());

  const from = (address: string, path = '/sign-in', headers: Record<string, string> = {}) =>
    rawRequest(tidemark.url + path, { headers: { Host: 'localhost', 'X-Forwarded-For': address, ...headers } });

  async function statuses(requests: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
    const answers = await Promise.all(Array.from({ length: requests }, ask));
    return answers.map(({ status }) => status).sort();
  }

  const signUp = async () => {
    const visitor = new Visitor(tidemark.url);
    const email = `person-${++people}@example.com`;
    await visitor.signUp(email);
    return { visitor, email };
  };

  it('a user over the rate limit gets a page that says how long to wait', async () => {
    const { visitor } = await signUp();
    expect(await statuses(LIMIT, () => visitor.get('/keys'))).toEqual(Array(LIMIT).fill(200));
    const { status, headers, text } = await visitor.get('/keys');
    expect([status, headers.get('retry-after'), headers.get('content-type')]).toEqual([
      ...[429, '45', 'text/html; charset=utf-8'],
    ]);
    expect(text).toContain('Too many requests');
    expect(text).toContain('Wait 45 seconds, then try again.');
    expect((await visitor.get('/')).status).toBe(429);
    clock.set(`2026-03-15T12:${String(minute++).padStart(2, '0')}:00Z`);
    expect((await visitor.get('/keys')).status).toBe(200);
  });

  it('the rate limit of the pages counts all sessions of a user together and no other user', async () => {
    const { visitor, email } = await signUp();
    const elsewhere = new Visitor(tidemark.url);
    expect((await elsewhere.post('/sign-in', { email, password: 'correct horse' })).status).toBe(303);
    await statuses(LIMIT, () => visitor.get('/keys'));
    expect((await elsewhere.get('/keys')).status).toBe(429);
    const other = await signUp();
    expect((await other.visitor.get('/keys')).status).toBe(200);
  });

  it('the rate limit of one network is ten times that of a user, and other networks are not affected', async () => {
    const seen = await statuses(LIMIT_OF_NETWORK + 5, () => from('192.0.2.1'));
    expect(seen).toEqual([...Array<number>(LIMIT_OF_NETWORK).fill(200), ...Array<number>(5).fill(429)]);
    expect((await from('192.0.2.2')).status).toBe(200);
  });

  it('addresses of one IPv6 network share one rate limit', async () => {
    await statuses(LIMIT_OF_NETWORK, () => from('2001:db8:1:2::a'));
    expect((await from('2001:db8:1:2:ffff::b')).status).toBe(429);
    expect((await from('2001:db8:1:102::b')).status).toBe(200);
  });

  it('a signed-in user is not limited by other requests of the same network', async () => {
    const { visitor } = await signUp();
    await statuses(LIMIT_OF_NETWORK + 1, () => from('127.0.0.1'));
    expect((await from('127.0.0.1')).status).toBe(429);
    expect((await visitor.get('/keys')).status).toBe(200);
  });

  it.each(['/docs', '/openapi.json', '/openapi.yaml', '/license', '/assets/nothing'])(
    'requests of %s count against the rate limit of the network',
    async (path) => {
      await statuses(LIMIT_OF_NETWORK, () => from('192.0.2.9'));
      const { status, headers } = await from('192.0.2.9', path);
      expect([status, headers['retry-after']]).toEqual([429, '45']);
    },
  );

  it('requests with an invalid API key or an ended session count against the rate limit of the network', async () => {
    const ask = () => from('192.0.2.7', '/api/v1/me', { 'X-Api-Key': 'nobody' });
    const seen = await statuses(LIMIT_OF_NETWORK + 1, ask);
    expect(seen).toEqual([...Array<number>(LIMIT_OF_NETWORK).fill(401), 429]);
    expect((await from('192.0.2.7', '/keys', { Cookie: 'tidemark=nobody' })).status).toBe(429);
    expect(JSON.parse((await ask()).text)).toEqual({
      error: 'rate_limit_exceeded',
      message: 'Too many requests within one minute. Wait 45 seconds, then try again.',
      details: { limit: LIMIT_OF_NETWORK, reset_in_seconds: 45 },
    });
  });

  it('health checks never count against a rate limit', async () => {
    await statuses(LIMIT_OF_NETWORK + 1, () => from('192.0.2.8'));
    for (const path of ['/health/live', '/health/ready']) expect((await from('192.0.2.8', path)).status).toBe(200);
  });

  it('networks beyond 100,000 in a minute share one rate limit, and people keep their own', () => {
    const limiter = tidemark.app.get(RequestLimiterService);
    const count = (network: number) =>
      limiter.countNetwork({ ip: `2001:${(network >> 12).toString(16)}:${(network & 0xfff).toString(16)}::1` });
    for (let network = 0; network < 100_000; network++) count(network);
    let allowed = 0;
    expect(() => {
      for (; allowed < 1_000; allowed++) count(100_000 + allowed);
    }).toThrow('Too many requests');
    expect(allowed).toBe(LIMIT_OF_NETWORK);
    count(1);
    limiter.countUser('somebody who has signed in');
  });
});
