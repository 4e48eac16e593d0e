import { setTimeout as wait } from 'node:timers/promises';
import type { SyncResponse } from '../sync/sync.response.js';

const POLL_MS = 150;
const BAR_CHARS = 24;
const OPEN: ReadonlySet<string> = new Set(['queued', 'running']);

/** Waits for a sync to end, showing its progress on stderr: a moving bar on a terminal, a line a step elsewhere. */
export async function followSync(read: () => Promise<SyncResponse>): Promise<SyncResponse> {
  let shown = '';
  for (;;) {
    const sync = await read();
    const line = progressLine(sync);
    if (line !== shown) show(line, !OPEN.has(sync.status));
    shown = line;
    if (!OPEN.has(sync.status)) return sync;
    await wait(POLL_MS);
  }
}

export function progressLine({ status, progress, counts }: SyncResponse): string {
  const { accounts_done: done, accounts_total: total, step } = progress;
  const filled = total ? Math.round((done / total) * BAR_CHARS) : 0;
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARS - filled);
  const end = `${counts.transactions_added} transactions added, ${counts.balances_written} balances written`;
  return `${bar} ${done}/${total ?? '?'} accounts  ${OPEN.has(status) ? step : `${status}: ${end}`}`;
}

function show(line: string, last: boolean): void {
  const { isTTY, columns = 80 } = process.stderr;
  if (isTTY) process.stderr.write(`\r\u001b[K${line.slice(0, columns - 1)}${last ? '\n' : ''}`);
  else process.stderr.write(`${line}\n`);
}
