import {
  isFor,
  type ScriptedGlobalProvider,
  startScriptedGlobalProvider,
  wireAccount,
} from '../../test/scripted-global-provider.js';

describe('an answer with long lists', () => {
  let global: ScriptedGlobalProvider;

  beforeEach(async () => {
    global = await startScriptedGlobalProvider();
  });
  afterEach(() => global.server.stop());

  const many = (count: number) => Array.from({ length: count }, () => ({}));

  it('of too many accounts is refused before work is done for each, and fetched once', async () => {
    global.server.play({ body: { accounts: many(2_001) } });
    await expect(global.snapshot()).rejects.toMatchObject({ kind: 'answer_too_large' });
    expect(global.server.requests).toHaveLength(1);
  });

  it.each([
    ['transactions', { transactions: many(100_001), total: 100_001 }],
    ['holdings', { holdings: many(10_001) }],
  ] as const)('of too many %s is a problem of its account', async (what, body) => {
    global.serve([{ wire: wireAccount() }], (reply, request) => (isFor(what)(request) ? { body } : reply));
    const { problems } = await global.snapshot();
    expect(problems).toContainEqual(expect.objectContaining({ kind: 'answer_too_large' }));
  });
});
