import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { BALANCE_COLUMNS_SQL } from './list/columns.js';
import { createAccountHolder, fillHistory } from './list/fill-history.js';
import { median, medianRatio } from './median.js';
import { type Server, startScript, startTidemark } from './servers.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How fast are all balances of a person as one file, and does it take memory?
// npm run bench:csv [-- --rows 1000000 --rounds 5 --heap-mib 80]
// Memory that only garbage takes goes away where the service may not have more: --heap-mib.

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    'heap-mib': { type: 'string' },
  },
});
const ROWS = Number(values.rows);
const SMALL_ROWS = ROWS / 10;

const database = await startThrowawayDatabase();
const small = await createAccountHolder(database.client);
await fillHistory(database.client, small, SMALL_ROWS);
const person = await createAccountHolder(database.client);
await fillHistory(database.client, person, ROWS);
await database.client.query('vacuum analyze');

const columns = BALANCE_COLUMNS_SQL.replaceAll(
  /date_part\('epoch', (b\.\w+)\)/g,
  `to_char($1 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
);
const sameRecords = `select ${columns} from balances b
  join accounts a on a.user_id = b.user_id and a.id = b.account_id
  where b.user_id = '${person.userId}' order by b.date desc, b.account_id`;
const table = `select * from balances where user_id = '${person.userId}'`;
const heap = values['heap-mib'];
const settings = heap ? { NODE_OPTIONS: `--max-old-space-size=${heap}` } : {};
const [tidemark, copy, bareCopy] = await Promise.all([
  startTidemark(database.url, settings),
  startScript('bench/csv/copy.mjs', [database.url, sameRecords]),
  startScript('bench/csv/copy.mjs', [database.url, table]),
]);

/** Reads a whole file and throws it away. @returns its lines, only if they are asked for, and the seconds it took */
async function read(url: string, headers: Record<string, string>, counts = false): Promise<[number, number]> {
  const began = performance.now();
  const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  let lines = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (counts) for (let at = -1; (at = chunk.indexOf(10, at + 1)) >= 0;) lines++;
  }
  return [lines, (performance.now() - began) / 1000];
}

const file = (type: string, key = person.key): [string, Record<string, string>] => [
  `${tidemark.url}/api/v1/balances`,
  { 'X-Api-Key': key, Accept: type },
];
const questions: Record<string, [string, Record<string, string>]> = {
  'COPY of the same records in the same order': [copy.url, {}],
  'COPY of the bare table': [bareCopy.url, {}],
  'Tidemark, CSV': file('text/csv'),
  'Tidemark, NDJSON': file('application/x-ndjson'),
};

/** The most memory a server had resident while it did something, in MiB. */
async function peakMib(server: Server, work: () => Promise<unknown>): Promise<number> {
  await writeFile(`/proc/${server.pid}/clear_refs`, '5');
  await work();
  return server.peakMib();
}

try {
  const idle = await tidemark.memoryMib();
  const ofSmall = await peakMib(tidemark, () => read(...file('text/csv', small.key)));
  const ofAll = await peakMib(tidemark, async () => {
    const [lines] = await read(...file('text/csv'), true);
    if (lines !== ROWS + 1) throw new Error(`${lines} lines are not ${ROWS} records and a header`);
  });
  const seconds: Record<string, number[]> = {};
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, question] of Object.entries(questions)) (seconds[name] ??= []).push((await read(...question))[1]);
  }
  const [peer = []] = Object.values(seconds);
  console.log(`${ROWS.toLocaleString('en')} records: records per second, speed against the first line`);
  for (const [name, times] of Object.entries(seconds)) {
    const ratio = medianRatio(peer, times);
    console.log(`${name.padEnd(44)} ${(ROWS / median(times)).toFixed(0).padStart(8)}/s   ${ratio.toFixed(2)}`);
  }
  console.log(
    `resident memory: ${idle.toFixed(0)} MiB idle, at most ${ofSmall.toFixed(0)} MiB during a tenth of the records, ` +
      `${ofAll.toFixed(0)} MiB during all of them`,
  );
} finally {
  await Promise.all([tidemark.stop(), copy.stop(), bareCopy.stop()]);
  await database.drop();
}
