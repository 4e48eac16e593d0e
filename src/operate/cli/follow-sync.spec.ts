import { Readable } from 'node:stream';
import type { SyncResponse } from '../../sync/runs/sync.response.js';
import { followSync, type Screen } from './follow-sync.js';

function sync(step: string, accounts_done: number, accounts_total: number | null, status = 'running') {
  const counts = { transactions_added: 12, balances_written: 34 };
  return { status, progress: { step, accounts_done, accounts_total }, counts } as SyncResponse;
}

/** Of two accounts, each asked for in windows and then written. */
const UPDATES = [
  sync('starting', 0, null),
  ...['Checking', 'Savings'].flatMap((name) => [
    sync(`${name}: balance`, 0, 2),
    sync(`${name}: transactions since 24 August 2026`, 0, 2),
    sync(`${name}: transactions since 26 May 2026`, 0, 2),
  ]),
  sync('transactions since 13 July 2026', 0, 2),
  sync('transactions since 30 May 2026', 0, 2),
  sync('writing Checking', 1, 2),
  sync('writing Savings', 2, 2),
  sync('done', 2, 2, 'succeeded'),
];

async function shownOn(screen: Pick<Screen, 'isTTY' | 'columns'>): Promise<string> {
  let shown = '';
  const last = await followSync(Readable.from(UPDATES), { ...screen, write: (text) => (shown += text) });
  expect(last?.status).toBe('succeeded');
  return shown;
}

describe('followSync', () => {
  it('the progress of a sync is one line per account and stage if the output is not a terminal', async () => {
    const lines = (await shownOn({ isTTY: false })).split('\n').map((line) => line.replace(/^[█░]+ /, ''));
    expect(lines).toEqual([
      '0/? accounts  starting',
      '0/2 accounts  Checking: balance',
      '0/2 accounts  Savings: balance',
      '0/2 accounts  transactions since 13 July 2026',
      '1/2 accounts  writing Checking',
      '2/2 accounts  writing Savings',
      '2/2 accounts  succeeded: 12 transactions added, 34 balances written',
      '',
    ]);
  });

  it('the progress of a sync is one line that is rewritten at each step and fits the terminal', async () => {
    const shown = (await shownOn({ isTTY: true, columns: 50 })).split('\r\u001b[K').slice(1);
    expect(shown).toHaveLength(UPDATES.length);
    expect(shown.map((line) => line.length)).toEqual(shown.map((line) => Math.min(line.length, 50)));
    expect(shown.filter((line) => line.endsWith('\n'))).toEqual([expect.stringContaining('2/2 accounts  succeeded')]);
  });
});
