import type { SyncResponse } from '../../sync/runs/sync.response.js';
import { isOpen } from '../../sync/sync-run.entity.js';

const BAR_CHARS = 24;

/** A terminal or a file. */
export interface Screen {
  isTTY?: boolean;
  columns?: number;
  write: (text: string) => unknown;
}

/**
 * Shows the progress of a sync: a bar on a terminal, otherwise a line for each account and stage.
 *
 * @param updates the sync at every change until it has ended
 * @returns how it ended; `null`: it was deleted before
 */
export async function followSync(
  updates: AsyncIterable<SyncResponse>,
  screen: Screen = process.stderr,
): Promise<SyncResponse | null> {
  let shown = '';
  let last: SyncResponse | null = null;
  for await (const sync of updates) {
    const line = progressLine(sync);
    const seen = screen.isTTY ? line : stageOf(line);
    if (seen !== shown) show(line, !isOpen(sync), screen);
    shown = seen;
    last = sync;
  }
  return last && !isOpen(last) ? last : null;
}

/** Without the window, because a history has dozens of them. */
function stageOf(line: string): string {
  return line.split(/: | since /)[0]!;
}

function progressLine(sync: SyncResponse): string {
  const { status, progress, counts } = sync;
  const { accounts_done: done, accounts_total: total, step } = progress;
  const filled = total ? Math.round((done / total) * BAR_CHARS) : 0;
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARS - filled);
  const end = `${counts.transactions_added} transactions added, ${counts.balances_written} balances written`;
  return `${bar} ${done}/${total ?? '?'} accounts  ${isOpen(sync) ? step : `${status}: ${end}`}`;
}

function show(line: string, last: boolean, screen: Screen): void {
  const { isTTY, columns = 80 } = screen;
  screen.write(isTTY ? `\r\u001b[K${line.slice(0, columns - 1)}${last ? '\n' : ''}` : `${line}\n`);
}
