import {
  isFor,
  type ScriptedGlobalProvider,
  startScriptedGlobalProvider,
  wireAccount,
} from '../../../test/support/scripted-global-provider.js';

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

  it.each([
    ['transactions', { transactions: many(100_001), total: 100_001 }],
    ['holdings', { holdings: many(10_001) }],
  ] as const)('a response with too many %s becomes a problem of its account', async (what, body) => {
    global.serve([{ wire: wireAccount() }], (reply, request) => (isFor(what)(request) ? { body } : reply));
    const { problems } = await global.snapshot();
    expect(problems).toContainEqual(expect.objectContaining({ kind: 'answer_too_large' }));
  });
});
