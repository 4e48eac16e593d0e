import {
  isFor,
  startScriptedGlobalProvider,
  TODAY,
  wireAccount,
  wirePage,
  wireTransaction,
} from '../../test/scripted-global-provider.js';
import { addDays } from '../time/calendar-date.js';

const ROWS = 100_000;
const MIB = 2 ** 20;
/** About three times what it takes; a copy of everything too many would break it. */
const MAX_GROWTH_MIB = 800;

function hugeAnswer(): Buffer {
  const transactions = Array.from({ length: ROWS }, (_, index) => {
    const more = { merchant: 'Market Stall', description: `CARD PURCHASE MARKET STALL ${index} SPRINGFIELD` };
    return wireTransaction(
      `${index}-0123456789abcdef0123456789`,
      addDays(TODAY, -(index % 40)),
      -(index % 1000) - 0.05,
      more,
    );
  });
  return Buffer.from(JSON.stringify(wirePage(transactions)));
}

describe('an answer of 100,000 transactions', () => {
  it('is read in one go and within reasonable memory', async () => {
    const global = await startScriptedGlobalProvider({ timeoutMs: 60_000 });
    const body = hugeAnswer();
    global.serve([{ wire: wireAccount() }], (reply, request) => (isFor('transactions')(request) ? { body } : reply));
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
    const startedAt = performance.now();
    const { accounts, problems } = await global.snapshot({ historyFrom: addDays(TODAY, -43) });
    const seconds = (performance.now() - startedAt) / 1000;
    clearInterval(watch);
    await global.server.stop();

    expect(problems).toEqual([]);
    expect(accounts[0]!.transactions).toHaveLength(ROWS);
    expect(accounts[0]!.complete).toBe(true);
    const growthMib = Math.round((Math.max(peak, process.memoryUsage.rss()) - before) / MIB);
    expect(growthMib).toBeLessThan(MAX_GROWTH_MIB);
    const size = `${(body.length / MIB).toFixed(1)} MiB with ${ROWS} rows`;
    console.info(`${size}: ${Math.round(ROWS / seconds)} rows a second, ${growthMib} MiB more memory at the peak`);
  });
});
