import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Ledger } from '../../src/balance-engine/ledger.js';
import { decimalText } from '../../src/money/minor-units.js';
import { dateOfDayNumber } from '../../src/time/calendar-date.js';

/** @returns the seconds hledger takes for the balance of every account on every day; `null` where there is none */
export async function hledgerSeconds(ledgers: readonly Ledger[]): Promise<number | null> {
  const run = promisify(execFile);
  if (!(await run('hledger', ['--version']).catch(() => null))) return null;
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const journal = join(folder, 'bench.journal');
  try {
    const file = createWriteStream(journal);
    for (const text of transactions(ledgers)) file.write(text);
    await new Promise((resolve) => file.end(resolve));
    const begun = performance.now();
    await run('hledger', [
      '-f',
      journal,
      'balance',
      '^assets',
      '--daily',
      '--historical',
      '-O',
      'csv',
      '-o',
      `${journal}.csv`,
    ]);
    return (performance.now() - begun) / 1000;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function* transactions(ledgers: readonly Ledger[]): Generator<string> {
  for (const [account, { entries }] of ledgers.entries()) {
    for (const { day, amountMinor } of entries)
      yield `${dateOfDayNumber(day)} x\n    assets:a${account}  ${decimalText(amountMinor, 2)} USD\n    equity\n\n`;
  }
}
