import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
afterAll(() => player.stop());

describe('scenarios of the US sandbox with broken connections', () => {
  it.each([
    ['reset-once', 1],
    ['reset-twice', 2],
  ])('sandbox scenario %s resets %i connections and then works', async (scenario, times) => {
    for (let request = 1; request <= times; request++) {
      await expect(player.get(scenario)).rejects.toThrow('fetch failed');
    }
    expect((await player.get(scenario)).status).toBe(200);
  });

  it('sandbox scenario reset-always resets every connection', async () => {
    for (let request = 1; request <= 4; request++) await expect(player.get('reset-always')).rejects.toThrow();
  });

  it.each([
    ['timeout-once', 1],
    ['timeout-twice', 2],
  ])('sandbox scenario %s leaves %i requests unanswered and then works', async (scenario, times) => {
    for (let request = 1; request <= times; request++) await expectSilence(scenario, request);
    expect((await player.get(scenario)).status).toBe(200);
  });

  it('sandbox scenario timeout-always leaves every request unanswered', async () => {
    for (let request = 1; request <= 4; request++) await expectSilence('timeout-always', request);
  });

  it.each([
    ['error-500', 500],
    ['error-502', 502],
    ['error-503', 503],
    ['html-reply', 200],
  ])('sandbox scenario %s answers with an HTML page and status %i', async (scenario, status) => {
    expect(await player.get(scenario)).toMatchObject({ status, type: 'text/html; charset=utf-8' });
    expect(await player.get(scenario)).toMatchObject({ status, text: expect.stringContaining('<html>') });
  });

  it('scenario error-503-once of the US sandbox answers 503 once and then works', async () => {
    expect((await player.get('error-503-once')).status).toBe(503);
    expect((await player.get('error-503-once')).status).toBe(200);
  });

  it('sandbox scenario truncated-reply ends in the middle of the JSON', async () => {
    const { status, text } = await player.get('truncated-reply');
    expect([status, text.startsWith('{"errors"')]).toEqual([200, true]);
    expect(() => void JSON.parse(text)).toThrow(SyntaxError);
  });

  it('sandbox scenario empty-reply has no body', async () => {
    expect(await player.get('empty-reply')).toMatchObject({ status: 200, text: '' });
  });

  it('scenario answer-too-large of the US sandbox breaks off long before its Content-Length', async () => {
    await expect(player.get('answer-too-large')).rejects.toThrow('terminated');
  });

  it('scenario slow-drip of the US sandbox sends the whole response with pauses', async () => {
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
