import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { median } from './median.js';
import { showProgress } from './progress.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// Would the table of balances gain by partitions, by hash of the person? The same rows in one table and in partitions:
// bytes of the indexes, and processor time of PostgreSQL for a page of a person, a day's write and a vacuum.
// npm run bench:growth-partitions [-- --rows 10000000 --partitions 16,64 --pages 2000]

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    partitions: { type: 'string', default: '16,64' },
    pages: { type: 'string', default: '2000' },
  },
});
const ROWS = Number(values.rows);
const PAGES = Number(values.pages);
const LAYOUTS = [1, ...values.partitions.split(',').map(Number)];
/** Of each person. */
const ACCOUNTS = 10;
const DAYS = 200;
const ROUNDS = 5;
const TICK_MS = 10;

const database = await startThrowawayDatabase();
const { client } = database;

/** As the service reads it: the newest days of one person. */
const PAGE = `
  select * from copied where user_id = $1 and date <= '2026-06-30' order by user_id, date desc, account_id limit 25`;
/** As a sync writes it: one day of each account. */
const DAY = `update copied set updated_at = now() where user_id = $1 and date = '2026-06-30'`;
/** Of every person some days, as a week of syncs leaves them. */
const WEEK = `update copied set updated_at = now() where date > '2026-06-23'`;

async function processorMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function measure(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await processorMsOf(pid);
  await work();
  return (await processorMsOf(pid)) - before;
}

/** People with ten accounts of 200 days each, in the order in which syncs would have written them: day by day. */
async function fill(): Promise<void> {
  showProgress(`making ${ROWS.toLocaleString('en')} rows`);
  await client.query('create unlogged table filled (like balances)');
  await client.query(
    `insert into filled select md5('person ' || person)::uuid, md5(person || ' account ' || account)::uuid,
       '2026-06-30'::date - day, gen_random_uuid(), 'USD', 1, true, 1000, 0, 500, 500, 0, 0, 0, 0, 0, 1000, 0, now(), now()
     from generate_series($1::int - 1, 0, -1) day, generate_series(1, $2::int) person, generate_series(1, $3::int) account`,
    [DAYS, ROWS / DAYS / ACCOUNTS, ACCOUNTS],
  );
}

/** The same columns, keys and indexes. */
async function copyInto(partitions: number): Promise<void> {
  const by = partitions === 1 ? '' : 'partition by hash (user_id)';
  await client.query(`create table copied (like balances including all excluding indexes) ${by}`);
  for (let part = 0; part < partitions && partitions > 1; part++) {
    await client.query(
      `create table copied_${part} partition of copied for values with (modulus ${partitions}, remainder ${part})`,
    );
  }
  await client.query('insert into copied select * from filled');
  await client.query('alter table copied add primary key (user_id, account_id, date)');
  await client.query('create unique index on copied (user_id, date desc, account_id)');
  await client.query('create unique index on copied (user_id, id)');
  await client.query('vacuum (freeze, analyze) copied');
}

async function preparedPagesOf(people: readonly string[], partitions: number, pid: number): Promise<number> {
  await client.query('set plan_cache_mode = force_generic_plan');
  const name = `page of ${partitions}`;
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ms = await measure(pid, async () => {
      for (let page = 0; page < PAGES; page++) {
        await client.query({ name, text: PAGE, values: [people[page % people.length]] });
      }
    });
    rounds.push(ms / PAGES);
  }
  return median(rounds);
}

interface Figures {
  'indexes, MiB': number;
  'page, prepared, ms': number;
  'page, planned, ms': number;
  'a day of a person, ms': number;
  'vacuum after a week, ms': number;
}

async function figuresOf(partitions: number, people: readonly string[], pid: number): Promise<Figures> {
  showProgress(`copying into ${partitions}`);
  await copyInto(partitions);
  const { rows } = await client.query<{ mib: number }>(`
    select (sum(pg_indexes_size(relid)) / 1024 / 1024)::float8 as mib from pg_partition_tree('copied') where isleaf
    having count(*) > 0 union all select pg_indexes_size('copied')::float8 / 1024 / 1024 limit 1`);
  showProgress(`reading ${partitions}`);
  const prepared = await preparedPagesOf(people, partitions, pid);
  await client.query('set plan_cache_mode = auto');
  const planned = await measure(pid, async () => {
    for (let page = 0; page < PAGES; page++) await client.query(PAGE, [people[page % people.length]]);
  });
  const days = await measure(pid, async () => {
    for (let day = 0; day < PAGES; day++) await client.query(DAY, [people[day % people.length]]);
  });
  showProgress(`vacuuming ${partitions}`);
  await client.query(WEEK);
  const vacuum = await measure(pid, () => client.query('vacuum copied'));
  await client.query('drop table copied');
  return {
    'indexes, MiB': rows[0]!.mib,
    'page, prepared, ms': prepared,
    'page, planned, ms': planned / PAGES,
    'a day of a person, ms': days / PAGES,
    'vacuum after a week, ms': vacuum,
  };
}

async function peopleOf(session: pg.Client): Promise<string[]> {
  const { rows } = await session.query<{ id: string }>('select distinct user_id as id from filled');
  return rows.map(({ id }) => id);
}

try {
  await fill();
  const people = await peopleOf(client);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const measured = new Map<number, Figures>();
  for (const partitions of LAYOUTS) measured.set(partitions, await figuresOf(partitions, people, rows[0]!.pid));
  showProgress('');
  console.log(`${ROWS.toLocaleString('en')} rows of ${people.length} people`);
  console.log(
    ''.padEnd(26) + LAYOUTS.map((count) => (count === 1 ? 'one table' : `${count} parts`).padStart(12)).join(''),
  );
  for (const name of Object.keys(measured.get(1)!) as (keyof Figures)[]) {
    console.log(name.padEnd(26) + LAYOUTS.map((count) => measured.get(count)![name].toFixed(3).padStart(12)).join(''));
  }
} finally {
  await database.drop();
}
