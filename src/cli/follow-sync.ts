import type { SyncResponse } from '../sync/runs/sync.response.js';
import { isOpen } from '../sync/runs/sync-run.entity.js';

const BAR_CHARS = 24;

/**
 * Shows on stderr how a sync goes on: a moving bar on a terminal, a line a step elsewhere.
 *
 * @param updates the sync at every change; the last one is how it ended
 */
export async function followSync(updates: AsyncIterable<SyncResponse>): Promise<SyncResponse> {
  let shown = '';
  let last: SyncResponse | null = null;
  for await (const sync of updates) {
    const line = progressLine(sync);
    if (line !== shown) show(line, !isOpen(sync));
    shown = line;
    last = sync;
  }
  if (!last || isOpen(last)) throw new Error('the sync cannot be followed any more');
  return last;
}

export function progressLine(sync: SyncResponse): string {
  const { status, progress, counts } = sync;
  const { accounts_done: done, accounts_total: total, step } = progress;
  const filled = total ? Math.round((done / total) * BAR_CHARS) : 0;
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARS - filled);
  const end = `${counts.transactions_added} transactions added, ${counts.balances_written} balances written`;
  return `${bar} ${done}/${total ?? '?'} accounts  ${isOpen(sync) ? step : `${status}: ${end}`}`;
}

function show(line: string, last: boolean): void {
  const { isTTY, columns = 80 } = process.stderr;
  if (isTTY) process.stderr.write(`\r\u001b[K${line.slice(0, columns - 1)}${last ? '\n' : ''}`);
  else process.stderr.write(`${line}\n`);
}
