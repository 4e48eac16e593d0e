import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
afterAll(() => player.stop());

describe('scenarios of the US sandbox for claims that fail', () => {
  it('sandbox scenario claim-refused refuses a claim like that of a used token', async () => {
    expect(await player.claim('claim-refused')).toMatchObject({ status: 403, text: 'Forbidden\n' });
  });

  it('sandbox scenario claim-dropped cuts off the response to a claim and leaves the token used', async () => {
    const token = player.setupToken('claim-dropped');
    await expect(player.claim('claim-dropped', token)).rejects.toThrow('fetch failed');
    expect(await player.claim('claim-dropped', token)).toMatchObject({ status: 403, text: 'Forbidden\n' });
  });

  it.each([
    ['claim-html', 'text/html; charset=utf-8', /^<!doctype html>/],
    ['claim-empty', 'text/plain; charset=utf-8', /^$/],
    ['claim-http', 'text/plain; charset=utf-8', /^http:\/\/\w+:\w+@bridge\.example\.test\/sandbox\/us$/],
    ['claim-no-credentials', 'text/plain; charset=utf-8', /^http:\/\/127\.0\.0\.1:\d+\/sandbox\/us$/],
  ])('sandbox scenario %s answers a claim with 200 and an invalid access URL', async (scenario, type, text) => {
    expect(await player.claim(scenario)).toMatchObject({ status: 200, type, text: expect.stringMatching(text) });
  });

  it('sandbox scenario claim-redirect redirects a claim to the front page', async () => {
    const { status, location } = await player.claim('claim-redirect');
    expect([status, new URL(location ?? '').pathname]).toEqual([302, '/']);
  });

  it('sandbox scenario awkward-password gives a password that must be percent-decoded before use', async () => {
    expect((await player.claim('awkward-password')).text).toMatch(/%2F%40%3A%25/);
    expect((await player.get('awkward-password')).status).toBe(200);
  });
});
