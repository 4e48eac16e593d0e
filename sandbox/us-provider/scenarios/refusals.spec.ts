import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const GEN_AUTH = { errlist: [{ code: 'gen.auth', msg: 'Forbidden' }], accounts: [], connections: [] };

describe('scenarios of the US sandbox that refuse requests', () => {
  it('sandbox scenario revoked refuses requests in the format of the requested protocol version', async () => {
    const second = await player.get('revoked', 'version=2');
    expect([second.status, JSON.parse(second.text)]).toEqual([403, GEN_AUTH]);
    expect(await player.get('revoked')).toMatchObject({ status: 403, type: 'text/html; charset=utf-8' });
  });

  it('sandbox scenario revoked-later refuses requests after the first sync, however many requests that takes', async () => {
    const sync = ['version=2&balances-only=1', 'version=2&start-date=1794000000', 'version=2&start-date=1&end-date=2'];
    for (const query of sync) expect((await player.get('revoked-later', query)).status).toBe(200);
    for (const query of sync) expect((await player.get('revoked-later', query)).status).toBe(403);
  });

  it('sandbox scenario payment-required answers 402 with one error and no accounts', async () => {
    const first = await player.get('payment-required');
    expect([first.status, JSON.parse(first.text)]).toEqual([
      402,
      { errors: ['Subscription payment is due.'], accounts: [] },
    ]);
    const second = await player.get('payment-required', 'version=2');
    expect(JSON.parse(second.text)).toMatchObject({ errlist: [{ code: 'gen.' }], accounts: [] });
  });

  it.each([
    ['cdn-403', 403, 'text/html; charset=utf-8'],
    ['cdn-403-text', 403, 'text/plain; charset=utf-8'],
    ['cdn-429', 429, 'text/html; charset=utf-8'],
  ])('sandbox scenario %s refuses requests like a front end of the provider', async (scenario, status, type) => {
    expect(await player.get(scenario, 'version=2')).toMatchObject({ status, type });
  });

  it.each([
    ['quota', 24, 48],
    ['quota-tight', 4, 8],
  ])(
    'sandbox scenario %s warns after %i requests a day and refuses for good after %i',
    async (scenario, usual, most) => {
      player.today = '2026-11-21';
      for (let request = 1; request <= most; request++) {
        const { errlist, errors } = await player.ask(scenario, 'version=2&balances-only=1');
        expect([errlist!.length, errors?.length ?? 0]).toEqual(request > usual ? [1, 1] : [0, 0]);
      }
      expect((await player.get(scenario)).status).toBe(403);
      player.today = '2026-11-22';
      expect((await player.get(scenario)).status).toBe(403);
    },
  );

  it('sandbox scenario quota-tight does not refuse requests that are spread over days and single accounts', async () => {
    for (const today of ['2026-11-21', '2026-11-22', '2026-11-23']) {
      player.today = today;
      for (let request = 1; request <= 4; request++) {
        expect((await player.ask('quota-tight')).errors).toEqual([]);
        expect((await player.ask('quota-tight', 'account=one')).errors).toEqual([]);
      }
    }
  });
});
