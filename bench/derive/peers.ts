import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Ledger } from '../../src/balances/engine/ledger.js';
import { decimalText } from '../../src/platform/money/minor-units.js';
import { dateOfDayNumber } from '../../src/platform/time/calendar-date.js';
import { secondsOfEndedChildren } from '../cpu-seconds.js';
import { DAYS, FIRST_DAY } from './ledgers.js';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 2 ** 30;

/** Another program that knows a balance for each account and day. */
interface Peer {
  /** A command that tells whether it is installed. */
  probe: [string, ...string[]];
  /** How to get it. */
  install: string;
  /** Its input. */
  text: (ledgers: readonly Ledger[]) => Iterable<string>;
  /** @param path of its input */
  command: (path: string, ledgers: readonly Ledger[]) => [string, ...string[]];
}

/** Each as its own documentation has it; starting and reading the input are part of what it takes. */
export const PEERS: Record<string, Peer> = {
  DuckDB: {
    probe: [process.execPath, '-e', "require('./bench/node_modules/@duckdb/node-api')"],
    install: 'npm ci --prefix bench',
    text: rowsOf,
    command: (path, { length }) => [process.execPath, 'bench/derive/duckdb.mjs', path, `${length}`, `${DAYS}`],
  },
  hledger: {
    probe: ['hledger', '--version'],
    install: 'apt-get install hledger',
    text: journalOf,
    command: (path) => ['hledger', '-f', path, 'balance', '^assets', '--daily', '--historical', '-O', 'csv'],
  },
  // What each account gained on each day; to add that up to balances would take it longer.
  beancount: {
    probe: ['bean-query', '--version'],
    install: 'apt-get install beancount',
    text: beansOf,
    command: (path) => [
      ...(['bean-query', '-f', 'csv', path] as const),
      "select account, date, sum(number) where account ~ '^Assets' group by account, date order by account, date",
    ],
  },
};

/** @returns the seconds of processor time that a peer takes for a balance a day of each account; `null` without the peer */
export async function peerSeconds(peer: Peer, ledgers: readonly Ledger[]): Promise<number | null> {
  const [program, ...args] = peer.probe;
  if (!(await run(program, args).catch(() => null))) return null;
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  try {
    const path = join(folder, 'ledger');
    const file = createWriteStream(path);
    for (const text of peer.text(ledgers)) file.write(text);
    await new Promise((resolve) => file.end(resolve));
    const [command, ...options] = peer.command(path, ledgers);
    const before = await secondsOfEndedChildren();
    const { stdout } = await run(command, options, { maxBuffer: MAX_OUTPUT_BYTES });
    if (stdout.length === 0) throw new Error(`${command} answered nothing`);
    return (await secondsOfEndedChildren()) - before;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function* rowsOf(ledgers: readonly Ledger[]): Generator<string> {
  for (const [account, { entries }] of ledgers.entries())
    for (const { day, amountMinor } of entries) yield `${account},${day - FIRST_DAY},${amountMinor}\n`;
}

function* journalOf(ledgers: readonly Ledger[]): Generator<string> {
  for (const [account, { entries }] of ledgers.entries()) {
    for (const { day, amountMinor } of entries)
      yield `${dateOfDayNumber(day)} x\n    assets:a${account}  ${decimalText(amountMinor, 2)} USD\n    equity\n\n`;
  }
}

function* beansOf(ledgers: readonly Ledger[]): Generator<string> {
  const opened = dateOfDayNumber(FIRST_DAY);
  yield `${opened} open Equity:Other\n`;
  for (const [account, { entries }] of ledgers.entries()) {
    yield `${opened} open Assets:A${account}\n`;
    for (const { day, amountMinor } of entries)
      yield `${dateOfDayNumber(day)} * "x"\n  Assets:A${account}  ${decimalText(amountMinor, 2)} USD\n  Equity:Other\n`;
  }
}
