import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
afterAll(() => player.stop());

describe('a claim that goes wrong', () => {
  it('is refused like a used token', async () => {
    expect(await player.claim('claim-refused')).toMatchObject({ status: 403, text: 'Forbidden\n' });
  });

  it('loses its answer and leaves the code spent', async () => {
    const token = player.setupToken('claim-dropped');
    await expect(player.claim('claim-dropped', token)).rejects.toThrow('fetch failed');
    expect(await player.claim('claim-dropped', token)).toMatchObject({ status: 403, text: 'Forbidden\n' });
  });

  it.each([
    ['claim-html', 'text/html; charset=utf-8', /^<!doctype html>/],
    ['claim-empty', 'text/plain; charset=utf-8', /^$/],
    ['claim-http', 'text/plain; charset=utf-8', /^http:\/\/\w+:\w+@bridge\.example\.test\/sandbox\/us$/],
    ['claim-no-credentials', 'text/plain; charset=utf-8', /^http:\/\/127\.0\.0\.1:\d+\/sandbox\/us$/],
  ])('answers 200 with something else: %s', async (scenario, type, text) => {
    expect(await player.claim(scenario)).toMatchObject({ status: 200, type, text: expect.stringMatching(text) });
  });

  it('redirects to the front page', async () => {
    const { status, location } = await player.claim('claim-redirect');
    expect([status, new URL(location ?? '').pathname]).toEqual([302, '/']);
  });

  it('gives a password that must be decoded before use', async () => {
    expect((await player.claim('awkward-password')).text).toMatch(/%2F%40%3A%25/);
    expect((await player.get('awkward-password')).status).toBe(200);
  });
});
