import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const statuses = async (scenario: string, count: number) => {
  const seen: number[] = [];
  for (let request = 1; request <= count; request++) seen.push((await player.get(scenario)).status);
  return seen;
};

describe('requests that are turned away', () => {
  it.each([
    ['unauthorized', 401],
    ['forbidden', 403],
    ['subscription-lapsed', 403],
    ['cdn-403', 403],
    ['error-500', 500],
    ['error-502', 502],
    ['error-503', 503],
    ['error-504', 504],
    ['slow-down', 429],
    ['slow-down-at-once', 429],
  ])('%s: are answered with %i', async (scenario, status) => {
    expect(await statuses(scenario, 5)).toEqual(Array(5).fill(status));
  });

  it('revoked-later: are those after the first sync', async () => {
    await player.visit('revoked-later');
    expect((await player.get('revoked-later')).status).toBe(403);
  });

  it.each([
    ['account-forbidden', 403],
    ['account-not-found', 404],
    ['account-error', 500],
  ])('%s: are those of one account', async (scenario, status) => {
    expect((await player.get(scenario)).status).toBe(200);
    for (const call of ['balance', 'transactions'] as const) {
      expect((await player.get(scenario, await player.path(call, 0))).status).toBe(status);
      expect((await player.get(scenario, await player.path(call, 1))).status).toBe(200);
    }
  });

  it.each([
    ['bad-request', 'transactions', 400],
    ['transactions-not-implemented', 'transactions', 501],
  ] as const)('%s: are calls of one kind', async (scenario, call, status) => {
    expect((await player.get(scenario, await player.path(call))).status).toBe(status);
    expect((await player.get(scenario, await player.path('balance'))).status).toBe(200);
  });

  it('balance-error-later: are balances after the first sync', async () => {
    await player.visit('balance-error-later');
    await player.get('balance-error-later');
    expect((await player.get('balance-error-later', await player.path('balance'))).status).toBe(500);
  });

  it('slow-down…: say how long to wait, or do not', async () => {
    const retryAfter = async (scenario: string) => (await player.get(scenario)).headers.get('retry-after');
    expect(await statuses('slow-down-briefly', 3)).toEqual([200, 429, 200]);
    expect(await statuses('slow-down-long', 5)).toEqual([200, 200, 200, 429, 429]);
    expect([await retryAfter('slow-down-at-once'), await retryAfter('slow-down')]).toEqual(['3600', null]);
    player.forget();
    expect([await retryAfter('slow-down-briefly'), await retryAfter('slow-down-briefly')]).toEqual([null, '1']);
  });
});

describe('a connection that fails', () => {
  it('reset-…: is cut off, then works', async () => {
    for (const [scenario, times] of [
      ['reset-once', 1],
      ['reset-twice', 2],
    ] as const) {
      for (let request = 1; request <= times; request++) await expect(player.get(scenario)).rejects.toThrow();
      expect((await player.get(scenario)).status).toBe(200);
    }
    for (let request = 1; request <= 4; request++) await expect(player.get('reset-always')).rejects.toThrow();
  });

  it('error-503-once: is under maintenance for one request', async () => {
    expect(await statuses('error-503-once', 2)).toEqual([503, 200]);
  });

  it.each(['timeout-once', 'timeout-always'])('%s: is silent', async (scenario) => {
    const leaving = new AbortController();
    let outcome = 'silence';
    const waiting = player.get(scenario, `/accounts?mark=${scenario}`, leaving.signal).then(
      () => (outcome = 'answer'),
      () => (outcome = 'failure'),
    );
    try {
      while (!player.saw(scenario)) await player.get('healthy');
      await player.get('healthy');
      expect(outcome).toBe('silence');
    } finally {
      leaving.abort();
      await waiting;
    }
    if (scenario === 'timeout-once') expect((await player.get(scenario)).status).toBe(200);
  });

  it.each([
    ['redirect-308', 308, /^http:\/\/localhost:\d+\/sandbox\/global\/api\/v1\/accounts$/],
    ['redirect-302', 302, /^http:\/\/localhost:\d+\/sandbox\/global\/elsewhere$/],
  ])('%s: sends the client to another host', async (scenario, status, location) => {
    const answer = await player.get(scenario);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('location')).toMatch(location);
    expect(JSON.parse(answer.text)).toMatchObject({ status });
  });

  it('html-reply, truncated-reply, empty-reply, bare-reply: has an answer that is none', async () => {
    const text = async (scenario: string) => (await player.get(scenario)).text;
    expect(await text('html-reply')).toContain('<html>');
    const cut = await text('truncated-reply');
    expect(() => void JSON.parse(cut)).toThrow(SyntaxError);
    expect(await text('empty-reply')).toBe('');
    expect(JSON.parse(await text('bare-reply'))).toHaveLength(6);
  });

  it('answer-too-large: breaks off long before what it has announced', async () => {
    await expect(player.get('answer-too-large')).rejects.toThrow('terminated');
  });

  it('slow-drip: sends everything, with pauses', async () => {
    const pauses = player.pauses;
    expect(JSON.parse((await player.get('slow-drip')).text)).toHaveProperty('accounts');
    expect(player.pauses - pauses).toBe(19);
  });
});
