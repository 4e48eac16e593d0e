import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { BankRow } from '../provider-sync/rows.js';

const NATIVE_PART = 'bench/node_modules/better-sqlite3/build/Release/better_sqlite3.node';

export interface Import {
  seconds: number;
  /** How many rows were new. */
  added: number;
}

/**
 * Actual's engine imports lists of transactions, one after the other, into one account.
 *
 * @returns what each took
 * @throws when its database can neither be had nor be built here
 */
export async function importIntoActual(lists: readonly (readonly BankRow[])[]): Promise<Import[]> {
  if (!existsSync(NATIVE_PART)) buildNativePart();
  const node = nodeOfNativePart();
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  try {
    const files = lists.map((_, index) => join(folder, `${index}.json`));
    for (const [index, rows] of lists.entries()) await writeFile(files[index]!, JSON.stringify(rows.map(toImport)));
    const { stdout } = await promisify(execFile)(node, ['bench/actual/engine.mjs', ...files]);
    return JSON.parse(stdout) as Import[];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Peers are installed without their scripts; the database of this one is native and needs its own. */
function buildNativePart(): void {
  process.stderr.write('building the database of the peer, which takes a minute or two\n');
  execFileSync('npm', ['rebuild', 'better-sqlite3', '--prefix', 'bench'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A machine may have several Nodes, and npm builds for the one whose headers it finds. */
function nodeOfNativePart(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const loads = `require('./bench/node_modules/better-sqlite3')(':memory:')`;
  const fitting = [process.execPath, ...folders].find(
    (node) => existsSync(node) && spawnSync(node, ['-e', loads], { stdio: 'ignore' }).status === 0,
  );
  if (fitting) return fitting;
  throw new Error('Actual cannot be run here: no Node.js on the PATH loads the native part of its database');
}

function toImport({ id, date, amountMinor, description, merchant }: BankRow) {
  return {
    ...{ date, amount: amountMinor, payee_name: merchant, imported_payee: description, imported_id: id },
    ...{ notes: description, cleared: true },
  };
}
