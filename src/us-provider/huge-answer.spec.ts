import {
  isForAccounts,
  startScriptedUsProvider,
  TODAY,
  wireAccount,
  wireSet,
  wireTransaction,
} from '../../test/scripted-us-provider.js';
import { addDays } from '../time/calendar-date.js';

const ROWS = 100_000;
const MIB = 2 ** 20;
/** About three times what it takes; a copy of everything too many would break it. */
const MAX_GROWTH_MIB = 800;

function hugeAnswer(): Buffer {
  const transactions = Array.from({ length: ROWS }, (_, index) => {
    const text = `MARKET STALL ${index} SPRINGFIELD`;
    const more = { description: text, payee: 'Market Stall', memo: `CARD PURCHASE ${text}`, mcc: '5499' };
    return wireTransaction(`TRN-${index}-0123456789abcdef`, addDays(TODAY, -(index % 40)), `-${index % 1000}.05`, more);
  });
  return Buffer.from(JSON.stringify(wireSet([wireAccount({ transactions })])));
}

describe('an answer of 100,000 transactions', () => {
  it('is read in one go and within reasonable memory', async () => {
    const us = await startScriptedUsProvider({ timeoutMs: 60_000 });
    const body = hugeAnswer();
    us.server.play((request) => (isForAccounts(request) ? { body } : { status: 404 }));
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
    const startedAt = performance.now();
    const { accounts, problems } = await us.snapshot({ historyFrom: addDays(TODAY, -43) });
    const seconds = (performance.now() - startedAt) / 1000;
    clearInterval(watch);
    await us.server.stop();

    expect(problems).toEqual([]);
    expect(accounts[0]!.transactions).toHaveLength(ROWS);
    expect(accounts[0]!.complete).toBe(true);
    const growthMib = Math.round((Math.max(peak, process.memoryUsage.rss()) - before) / MIB);
    expect(growthMib).toBeLessThan(MAX_GROWTH_MIB);
    const size = `${(body.length / MIB).toFixed(1)} MiB with ${ROWS} rows`;
    console.info(`${size}: ${Math.round(ROWS / seconds)} rows a second, ${growthMib} MiB more memory at the peak`);
  });
});
