import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
afterAll(() => player.stop());

describe('a connection that fails', () => {
  it.each([
    ['reset-once', 1],
    ['reset-twice', 2],
  ])('%s: is cut off, then works', async (scenario, times) => {
    for (let request = 1; request <= times; request++) {
      await expect(player.get(scenario)).rejects.toThrow('fetch failed');
    }
    expect((await player.get(scenario)).status).toBe(200);
  });

  it('reset-always: is cut off each time', async () => {
    for (let request = 1; request <= 4; request++) await expect(player.get('reset-always')).rejects.toThrow();
  });

  it.each([
    ['timeout-once', 1],
    ['timeout-twice', 2],
  ])('%s: is silent, then works', async (scenario, times) => {
    for (let request = 1; request <= times; request++) await expectSilence(scenario, request);
    expect((await player.get(scenario)).status).toBe(200);
  });

  it('timeout-always: is silent each time', async () => {
    for (let request = 1; request <= 4; request++) await expectSilence('timeout-always', request);
  });

  it.each([
    ['error-500', 500],
    ['error-502', 502],
    ['error-503', 503],
    ['html-reply', 200],
  ])('%s: shows a page with status %i', async (scenario, status) => {
    expect(await player.get(scenario)).toMatchObject({ status, type: 'text/html; charset=utf-8' });
    expect(await player.get(scenario)).toMatchObject({ status, text: expect.stringContaining('<html>') });
  });

  it('error-503-once: is under maintenance for one request', async () => {
    expect((await player.get('error-503-once')).status).toBe(503);
    expect((await player.get('error-503-once')).status).toBe(200);
  });

  it('truncated-reply: ends in the middle of the JSON', async () => {
    const { status, text } = await player.get('truncated-reply');
    expect([status, text.startsWith('{"errors"')]).toEqual([200, true]);
    expect(() => void JSON.parse(text)).toThrow(SyntaxError);
  });

  it('empty-reply: has no body', async () => {
    expect(await player.get('empty-reply')).toMatchObject({ status: 200, text: '' });
  });

  it('answer-too-large: breaks off long before what it has announced', async () => {
    await expect(player.get('answer-too-large')).rejects.toThrow('terminated');
  });

  it('slow-drip: sends everything, with pauses', async () => {
    const { text } = await player.get('slow-drip');
    expect(JSON.parse(text)).toHaveProperty('accounts');
    expect(player.pauses).toBe(19);
  });
});

/** Nothing has come when a later request is answered already. */
async function expectSilence(scenario: string, request: number): Promise<void> {
  const mark = `mark=${scenario}-${request}`;
  const leaving = new AbortController();
  let outcome = 'silence';
  const waiting = player.get(scenario, mark, leaving.signal).then(
    () => (outcome = 'answer'),
    () => (outcome = 'failure'),
  );
  try {
    while (!player.saw(mark)) await player.get('healthy');
    await player.get('healthy');
    expect(outcome).toBe('silence');
  } finally {
    leaving.abort();
    await waiting;
  }
}
