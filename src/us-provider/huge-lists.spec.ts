import {
  type ScriptedUsProvider,
  startScriptedUsProvider,
  wireAccount,
  wireSet,
  wireTransaction,
} from '../../test/support/scripted-us-provider.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import { WorkSlices } from '../time/work-slices.js';
import { readAccountSet } from './payload.js';
import { windowRows } from './mapper.js';

const TOO_LARGE = { kind: 'answer_too_large', retryable: false };

describe('limits on the lists in a response', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  const many = (count: number, item: unknown = {}) => Array.from({ length: count }, () => item);

  it.each([
    ['accounts', { accounts: many(30_000) }],
    ['accounts', { accounts: many(2_001) }],
    ['values', { accounts: many(100_000) }],
    ['messages', { accounts: [], errlist: many(501) }],
    ['connections', { accounts: [], connections: many(2_001) }],
    ['holdings', { accounts: [wireAccount({ holdings: many(10_001) })] }],
    ['transactions', { accounts: [wireAccount({ transactions: many(100_001) })] }],
    ['values', { accounts: [{ transactions: { more: many(100_001, 1) } }] }],
    ['MiB besides transactions', { accounts: [{ name: 'x'.repeat(9 * 2 ** 20) }] }],
    ['MiB of one transaction', { accounts: [{ transactions: [{ id: 'x'.repeat(2 * 2 ** 20) }] }] }],
  ])('a response with too many %s is rejected before each is processed, and is requested once', async (what, body) => {
    us.server.play({ body });
    await expect(us.snapshot()).rejects.toMatchObject({ ...TOO_LARGE, message: expect.stringContaining(what) });
    expect(us.server.requests).toHaveLength(1);
  });

  it('the backfill stops when its windows exceed 300,000 transactions and holdings in total', async () => {
    const one = (id: string) => wireTransaction(id, '2026-03-01', '-1.00');
    const same = many(80_000, one('T'));
    // Two windows without anything new would be the beginning of the account.
    us.server.play((_, index) => ({ body: wireSet([wireAccount({ transactions: [one(`T-${index}`), ...same] })]) }));
    const { problems, accounts } = await us.snapshot({ historyFrom: '2024-01-01' });
    const refused = problems.filter(({ kind }) => kind === 'answer_too_large');
    expect(refused).toHaveLength(1);
    expect(refused[0]!.message).toMatch(/^History before .* more than the limit of 300,000 transactions and holdings/);
    expect(accounts).toMatchObject([{ complete: false }]);
    // The newest window, and the four that are too many together.
    expect(us.windows()).toHaveLength(5);
  });

  it.each([
    ['accounts', (signal: AbortSignal) => readAccountSet({ body: JSON.stringify({ accounts: many(2_000) }) }, signal)],
    [
      'transactions',
      (signal: AbortSignal) => {
        const listed = { id: 'ACT-1', currency: 'USD', transactions: many(100_000, { id: {} }) };
        const wanted = { today: '2026-03-15', includePending: true };
        return windowRows([listed] as never, false, wanted, new WorkSlices(signal));
      },
    ],
  ])('reading many %s lets other work run in between and can be aborted', async (_, read) => {
    const controller = new AbortController();
    setImmediate(() => setImmediate(() => controller.abort(new Error('called off'))));
    await expect(repeated(() => read(controller.signal))).rejects.toThrow('called off');
  });
});

/** Until it fails: what is read in one piece never lets anybody abort it. */
async function repeated(read: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < 20; time++) await read().catch(keepUnlessOfProvider);
}

function keepUnlessOfProvider(error: unknown): void {
  if (!(error instanceof ProviderError)) throw error;
}
