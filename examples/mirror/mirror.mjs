// Keeps a copy of what an API key may read in a SQLite file, by following the change feed. Run it as often as you like:
// TIDEMARK_URL=http://127.0.0.1:3000 TIDEMARK_KEY=tm_… node --no-warnings examples/mirror/mirror.mjs tidemark.sqlite
// On its own it needs Node.js 22.13 or newer.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

const { TIDEMARK_URL: url = 'http://127.0.0.1:3000', TIDEMARK_KEY: key = '' } = process.env;
const db = new DatabaseSync(process.argv[2] ?? 'tidemark.sqlite');
db.exec(`
  create table if not exists feed (cursor text not null);
  create table if not exists records (type text, id text, account_id text, date text, record text);
  create index if not exists records_id on records (type, id);
  create index if not exists records_day on records (type, account_id, date);
  drop view if exists balances;
  create view balances as select date, account_id, record ->> '$.account.name' as account,
    record ->> '$.account.account_type' as account_type, record ->> '$.currency' as currency,
    record ->> '$.balance_cents' as balance_cents, record ->> '$.flows_factor' as flows_factor
  from records where type = 'balances'`);
const deleteId = db.prepare('delete from records where type = ? and id = ?');
const deleteDays = db.prepare(
  `delete from records where type = ? and account_id = ? and date >= coalesce(?, date) and date <= coalesce(?, date)`,
);
const insert = db.prepare('insert into records (type, id, account_id, date, record) values (?, ?, ?, ?, ?)');

/** The cursor is stored together with what it stands for: a crash in between loses nothing and doubles nothing. */
function store(changes, cursor) {
  db.exec('begin');
  for (const part of changes) replace(part);
  db.exec('delete from feed');
  db.prepare('insert into feed (cursor) values (?)').run(cursor);
  db.exec('commit');
}

/** What a part covers and does not list is gone. */
function replace({ type, ids, account_id: accountId, from = null, to = null, records }) {
  if (ids) for (const id of ids) deleteId.run(type, id);
  else deleteDays.run(type, accountId, from, to);
  for (const record of records) {
    const { id = null, date = null, account } = record;
    // A record that another account had before keeps its id.
    if (id) deleteId.run(type, id);
    insert.run(type, id, account?.id ?? null, date, JSON.stringify(record));
  }
}

async function read(cursor) {
  const from = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
  const answer = await fetch(`${url}/api/v1/changes?limit=1000${from}`, { headers: { 'X-Api-Key': key } });
  if (answer.ok) return answer.json();
  const { error, message } = await answer.json();
  if (answer.status === 429 || answer.status === 503) {
    await wait(Number(answer.headers.get('retry-after') ?? 5) * 1_000);
    return read(cursor);
  }
  // Away for longer than the log is kept, or the service was restored from a backup: begin again.
  if (error !== 'cursor_expired') throw new Error(`${answer.status} ${message}`);
  db.exec('delete from records; delete from feed');
  return read(null);
}

let cursor = db.prepare('select cursor from feed').get()?.cursor ?? null;
for (let hasMore = true; hasMore;) {
  const answer = await read(cursor);
  ({ cursor, has_more: hasMore } = answer);
  store(answer.changes, cursor);
}
console.log(`${db.prepare('select count(*) as count from records').get().count} records`);
