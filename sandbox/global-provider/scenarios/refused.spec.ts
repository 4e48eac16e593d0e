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

describe('scenarios of the global sandbox that refuse requests', () => {
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
  ])('sandbox scenario %s answers every request with %i', async (scenario, status) => {
    expect(await statuses(scenario, 5)).toEqual(Array(5).fill(status));
  });

  it('sandbox scenario revoked-later answers 403 after the first sync', async () => {
    await player.visit('revoked-later');
    expect((await player.get('revoked-later')).status).toBe(403);
  });

  it.each([
    ['account-forbidden', 403],
    ['account-not-found', 404],
    ['account-error', 500],
  ])('sandbox scenario %s fails the requests for one account only', async (scenario, status) => {
    expect((await player.get(scenario)).status).toBe(200);
    for (const call of ['balance', 'transactions'] as const) {
      expect((await player.get(scenario, await player.path(call, 0))).status).toBe(status);
      expect((await player.get(scenario, await player.path(call, 1))).status).toBe(200);
    }
  });

  it.each([
    ['bad-request', 'transactions', 400],
    ['transactions-not-implemented', 'transactions', 501],
  ] as const)('sandbox scenario %s fails one kind of request only', async (scenario, call, status) => {
    expect((await player.get(scenario, await player.path(call))).status).toBe(status);
    expect((await player.get(scenario, await player.path('balance'))).status).toBe(200);
  });

  it('sandbox scenario balance-error-later answers 500 for balances after the first sync', async () => {
    await player.visit('balance-error-later');
    await player.get('balance-error-later');
    expect((await player.get('balance-error-later', await player.path('balance'))).status).toBe(500);
  });

  it('sandbox scenarios slow-down-briefly, slow-down-long, slow-down-at-once and slow-down answer 429 with or without Retry-After', async () => {
    const retryAfter = async (scenario: string) => (await player.get(scenario)).headers.get('retry-after');
    expect(await statuses('slow-down-briefly', 3)).toEqual([200, 429, 200]);
    expect(await statuses('slow-down-long', 5)).toEqual([200, 200, 200, 429, 429]);
    expect([await retryAfter('slow-down-at-once'), await retryAfter('slow-down')]).toEqual(['3600', null]);
    player.forget();
    expect([await retryAfter('slow-down-briefly'), await retryAfter('slow-down-briefly')]).toEqual([null, '1']);
  });
});

describe('scenarios of the global sandbox with broken connections', () => {
  it('sandbox scenarios reset-once, reset-twice and reset-always reset one, two and all connections', async () => {
    for (const [scenario, times] of [
      ['reset-once', 1],
      ['reset-twice', 2],
    ] as const) {
      for (let request = 1; request <= times; request++) await expect(player.get(scenario)).rejects.toThrow();
      expect((await player.get(scenario)).status).toBe(200);
    }
    for (let request = 1; request <= 4; request++) await expect(player.get('reset-always')).rejects.toThrow();
  });

  it('scenario error-503-once of the global sandbox answers 503 once and then works', async () => {
    expect(await statuses('error-503-once', 2)).toEqual([503, 200]);
  });

  it.each(['timeout-once', 'timeout-always'])('sandbox scenario %s leaves a request unanswered', async (scenario) => {
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
  ])('sandbox scenario %s redirects the client to another host', async (scenario, status, location) => {
    const answer = await player.get(scenario);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('location')).toMatch(location);
    expect(JSON.parse(answer.text)).toMatchObject({ status });
  });

  it('sandbox scenarios html-reply, truncated-reply, empty-reply and bare-reply answer 200 with an invalid body', async () => {
    const text = async (scenario: string) => (await player.get(scenario)).text;
    expect(await text('html-reply')).toContain('<html>');
    const cut = await text('truncated-reply');
    expect(() => void JSON.parse(cut)).toThrow(SyntaxError);
    expect(await text('empty-reply')).toBe('');
    expect(JSON.parse(await text('bare-reply'))).toHaveLength(6);
  });

  it('scenario answer-too-large of the global sandbox breaks off long before its Content-Length', async () => {
    await expect(player.get('answer-too-large')).rejects.toThrow('terminated');
  });

  it('scenario slow-drip of the global sandbox sends the whole response with pauses', async () => {
    const pauses = player.pauses;
    expect(JSON.parse((await player.get('slow-drip')).text)).toHaveProperty('accounts');
    expect(player.pauses - pauses).toBe(19);
  });
});
