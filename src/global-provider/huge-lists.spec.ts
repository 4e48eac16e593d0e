import {
  isFor,
  type ScriptedGlobalProvider,
  startScriptedGlobalProvider,
  wireAccount,
} from '../../test/support/scripted-global-provider.js';

describe('limits on the lists in a response', () => {
  let global: ScriptedGlobalProvider;

  beforeEach(async () => {
    global = await startScriptedGlobalProvider();
  });
  afterEach(() => global.server.stop());

  const many = (count: number) => Array.from({ length: count }, () => ({}));

  it('a response with too many accounts is rejected before each is processed, and is requested once', async () => {
    global.server.play({ body: { accounts: many(501) } });
    await expect(global.snapshot()).rejects.toMatchObject({ kind: 'answer_too_large' });
    expect(global.server.requests).toHaveLength(1);
  });

  it('a sync stops fetching when it exceeds 300,000 transactions and holdings in total', async () => {
    const ids = ['1', '2', '3', '4', '5'];
    const reply = { body: { transactions: many(80_000), total: 80_000 } };
    global.serve(
      ids.map((id) => ({ wire: wireAccount({ id }) })),
      (usual, request) => (isFor('transactions')(request) ? reply : usual),
    );
    const { accounts, problems } = await global.snapshot();
    const refused = problems.filter(({ kind }) => kind === 'answer_too_large');
    expect(refused.map(({ accountExternalId }) => accountExternalId)).toEqual(['4', '5']);
    expect(refused[0]!.message).toMatch(/more than the limit of 300,000 transactions and holdings in one sync/);
    expect(accounts.map(({ unreadableRows }) => unreadableRows)).toEqual([80_000, 80_000, 80_000, 0, 0]);
    const asked = (id: string) => global.server.requests.filter(({ path }) => path.includes(`/${id}/transactions`));
    expect(asked('5')).toEqual([]);
  });

  it.each([
    ['transactions', { transactions: many(100_001), total: 100_001 }],
    ['holdings', { holdings: many(10_001) }],
  ] as const)('a response with too many %s becomes a problem of its account', async (what, body) => {
    global.serve([{ wire: wireAccount() }], (reply, request) => (isFor(what)(request) ? { body } : reply));
    const { problems } = await global.snapshot();
    expect(problems).toContainEqual(expect.objectContaining({ kind: 'answer_too_large' }));
  });
});
