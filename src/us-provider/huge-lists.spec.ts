import {
  type ScriptedUsProvider,
  startScriptedUsProvider,
  wireAccount,
  wireSet,
} from '../../test/support/scripted-us-provider.js';

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

  it('the backfill stops when its windows exceed 300,000 transactions and holdings in total', async () => {
    // Each of its own, because two windows without anything new would be the beginning of the account.
    us.server.play((_, window) => ({ body: wireSet([wireAccount({ transactions: many(80_000, { window }) })]) }));
    const { problems, accounts } = await us.snapshot({ historyFrom: '2024-01-01' });
    const refused = problems.filter(({ kind }) => kind === 'answer_too_large');
    expect(refused).toHaveLength(1);
    expect(refused[0]!.message).toMatch(/^History before .* more than the limit of 300,000 transactions and holdings/);
    expect(accounts).toMatchObject([{ complete: false }]);
    // The newest window, and the four that are too many together.
    expect(us.windows()).toHaveLength(5);
  });
});
