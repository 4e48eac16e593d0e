import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import type pg from 'pg';
import { type Drill, judge } from './drill.js';
import { type Answer, ask, areAll, percentile, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { pause, seconds } from './harness/waiting.js';

const SYNCS = 200;
const REQUESTS = 50_000;
const CLIENTS = 4;
const BETWEEN_SYNCS_MS = 500;
/** 200 runs with what is left of their updates. */
const MOST_KIB = 8_192;
const LIMIT_MS = 40 * 60_000;
/** Of the second half against the first one's end. */
const MOST_GROWTH = 1.25;
const PATHS = ['/api/v1/balances', '/api/v1/transactions', '/api/v1/accounts', '/api/v1/net_worth?currency=USD'];

async function memoryMib(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** Of the whole database, the job queue included. */
async function tablesKib(client: pg.Client): Promise<{ all: number; largest: string }> {
  const { rows } = await client.query<{ name: string; kib: number }>(`
    select relname as name, pg_total_relation_size(oid) / 1024.0::float8 as kib from pg_class
    where relkind = 'r' and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) order by 2 desc`);
  const largest = rows.slice(0, 3).map(({ name, kib }) => `${name} ${kib.toFixed(0)}`);
  return { all: rows.reduce((sum, { kib }) => sum + kib, 0), largest: largest.join(', ') };
}

export const drill: Drill = {
  name: 'soak',
  expectation:
    '200 syncs and 50,000 requests: every sync succeeds, every request is answered, memory is level in the second half, tables and log grow by little.',
  sentence: 20,
  isOptional: true,
  timeoutMs: LIMIT_MS,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres, { SANDBOX: '1' });
    const person = await Person.signUp(service);
    const { text } = await ask(`${service.url}/sandbox/us/create`, { headers: { Accept: 'application/json' } });
    const connection = await person.connect((JSON.parse(text) as { setup_token: string }).setup_token);
    const client = await postgres.connect();
    const before = await tablesKib(client);
    const { pid } = service.process;
    const answers: Answer[] = [];
    let begun = 0;
    let half = 0;
    const readers = Array.from({ length: CLIENTS }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (begun < REQUESTS) {
        const { status, failure, headers, ms } = await person.get(PATHS[begun++ % PATHS.length]!, { agent });
        answers.push({ status, failure, headers, ms, text: '' });
        if (answers.length === REQUESTS / 2) half = await memoryMib(pid);
        if (answers.length % 5_000 === 0) context.progress(`${answers.length} requests`);
      }
      agent.destroy();
    });
    const statuses: string[] = [];
    const syncing = async () => {
      while (statuses.length < SYNCS) {
        await client.query('delete from provider_requests');
        const { id } = JSON.parse((await person.syncNow(connection)).text) as { id: string };
        statuses.push(await person.syncEnded(id));
        const due = (SYNCS * answers.length) / REQUESTS;
        if (statuses.length > due && answers.length < REQUESTS) await pause(BETWEEN_SYNCS_MS);
      }
    };
    await Promise.all([...readers, syncing()]);
    const full = await memoryMib(pid);
    const after = await tablesKib(client);
    const logKib = service.process.stderr.length / 1024;
    const succeeded = statuses.filter((status) => status === 'succeeded' || status === 'partial').length;
    const figure =
      `${succeeded} of ${statuses.length} syncs, ${tally(answers)}, p99 ${seconds(percentile(answers, 0.99))}; ` +
      `${half.toFixed(0)} MiB at half time, ${full.toFixed(0)} MiB at the end; ` +
      `tables ${before.all.toFixed(0)} to ${after.all.toFixed(0)} KiB (${after.largest}); log ${logKib.toFixed(0)} KiB`;
    return judge(figure, {
      'every sync succeeds': succeeded === SYNCS,
      'every request is answered': areAll(answers, 200),
      'memory is level': full < half * MOST_GROWTH,
      'a line of the log per sync': logKib < SYNCS,
      'tables grow by little': after.all - before.all < MOST_KIB,
    });
  },
};
