import {
  type ScriptedUsProvider,
  startScriptedUsProvider,
  wireAccount,
} from '../../../test/support/scripted-us-provider.js';

const TOO_LARGE = { kind: 'answer_too_large', retryable: false };

describe('limits on the lists in a response', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  const many = (count: number, item: unknown = {}) => Array.from({ length: count }, () => item);

  it.each([
    ['accounts', { accounts: many(501) }],
    ['messages', { accounts: [], errlist: many(501) }],
    ['connections', { accounts: [], connections: many(501) }],
    ['holdings', { accounts: [wireAccount({ holdings: many(10_001) })] }],
    ['transactions', { accounts: [wireAccount({ transactions: many(100_001) })] }],
  ])('a response with too many %s is rejected before each is processed, and is requested once', async (what, body) => {
    us.server.play({ body });
    await expect(us.snapshot()).rejects.toMatchObject({ ...TOO_LARGE, message: expect.stringContaining(what) });
    expect(us.server.requests).toHaveLength(1);
  });
});
