import { readConfig } from '../../src/platform/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { MODULES } from '../../src/modules.js';
import { type CitusNodes, inSession, joinNodes } from '../support/citus-nodes.js';
import { digestsOf, listTables } from './citus/digests.js';
import { pagesOf } from './citus/pages.js';
import { startNodes } from './citus/start-nodes.js';
import { upgradeSample } from './citus/upgrade-sample.js';
import { type Drill, judge } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { ask, count, tally } from './harness/http.js';
import { PASSWORD, Person } from './harness/person.js';
import { addTransactions } from './harness/rows.js';
import { type DrillService, runCli } from './harness/service.js';
import { OpenStream } from './harness/streams.js';
import { until } from './harness/waiting.js';

const DATABASE = 'tidemark';
const ROWS = 5_000;
const STOP_MS = 30_000;
const KEY_MS = 1_000;
const LOOK_MS = 10_000;
const LISTS = ['accounts', 'balances', 'transactions', 'holdings', 'net_worth', 'connections', 'syncs', 'audit_events'];

interface Placed {
  tables: { name: string; placement: string; rows: number }[];
}

export const drill: Drill = {
  name: 'citus',
  expectation:
    'A database of one server is distributed over the nodes of Citus without losing a row; then everything works, and an upgrade does.',
  sentence: 22,
  isOptional: true,
  timeoutMs: 900_000,
  async run(context) {
    const { nodes, url } = await startNodes(context, DATABASE);
    const bank = await context.startBank(3);

    context.progress('one server');
    const before = await context.startServiceWith({ DATABASE_URL: url });
    const anna = await Person.signUp(before);
    const berta = await Person.signUp(before);
    const connection = await anna.connect(bank.setupToken('anna'));
    await berta.connect(bank.setupToken('berta'));
    await inSession(url, (session) => addTransactions(session, anna.email, ROWS));
    const listed = await lists(anna);
    const measured = await metricsOf(before);
    await before.stopWithin(STOP_MS);

    context.progress('distributing');
    const digests = await digestsOf(url);
    const refusal = await distribute(context, url).catch((error: Error) => error.message);
    await joinNodes(
      url,
      nodes.workers.map((worker) => worker.urlOf(DATABASE)),
    );
    const { tables } = (await distribute(context, url)) as Placed;
    const after = await digestsOf(url);
    await distribute(context, url);
    const again = await digestsOf(url);
    const workers = await transactionsOf(nodes);

    context.progress('two instances on Citus');
    const settings = { DATABASE_URL: url, SYNC_CRON: '* * * * * *' };
    const here = await context.startServiceWith({ ...settings, SYNC_CRON: 'off' });
    const there = await context.startServiceWith(settings);
    const annaThere = anna.elsewhere(there);
    const listedThere = await lists(annaThere);
    const { etag } = (await annaThere.get('/api/v1/balances')).headers;
    const unchanged = await annaThere.get('/api/v1/balances', { headers: { 'If-None-Match': etag } });
    const scheduled = await untilScheduled(url, annaThere, connection);
    const kinds = await feedOf(annaThere);
    const told = await tellWebhook(context, annaThere);
    const pages = await pagesOf(annaThere);
    const measuredThere = await metricsOf(there);
    const newcomer = await lifeOf(await Person.signUp(here), bank.setupToken('clara'), url);
    const revoked = await revokeAt(context, there, await Person.signUp(here), here);
    const rebuilt = await runCli(context.folder, { DATABASE_URL: url }, 'balances:rebuild');

    context.progress('upgrading');
    for (const service of [here, there]) await service.stopWithin(STOP_MS);
    const third = await context.startServiceWith({ DATABASE_URL: url });
    const bertaThere = berta.elsewhere(third);
    const statuses = await Promise.all(LISTS.map(async (name) => (await bertaThere.get(`/api/v1/${name}`)).status));
    await third.stopWithin(STOP_MS);
    await migrate({ clientUrl: url }, readConfig([], [], {}, {}).database, { modules: [...MODULES, upgradeSample] });
    const upgraded = await placementOf(url, 'savings_notes');

    const unmeasured = measured.filter((name) => !measuredThere.includes(name));
    const missing = unmeasured.length > 0 ? ` (not ${unmeasured.join(', ')})` : '';
    const byPerson = tables.filter(({ placement }) => placement === 'by person').length;
    const figure =
      `${digests.length} tables, ${byPerson} of them by person, ${workers.map(({ rows }) => rows).join(' + ')} transactions on the workers; ` +
      `automatic sync ${scheduled}, feed ${kinds.join(' ')}, webhook told of ${told}, pages ${tally(pages)}, ${measuredThere.length} gauges${missing}, revoked after ${revoked?.toFixed(0) ?? 'never'} ms, ` +
      `rebuilt ${JSON.stringify(rebuilt)}, newcomer ${JSON.stringify(newcomer)}`;
    return judge(figure, {
      'refused without the extension': typeof refusal === 'string' && refusal.includes('extension citus'),
      'same rows after it': digests.join() === after.join(),
      'and after a second time': digests.join() === again.join(),
      'every worker has shards': workers.length === 2 && workers.every(({ shards }) => shards > 0),
      'all rows are on workers': workers.reduce((sum, { rows }) => sum + rows, 0) >= ROWS,
      'same lists': JSON.stringify(listed) === JSON.stringify(listedThere),
      'not modified': unchanged.status === 304,
      'automatic sync': ['succeeded', 'partial'].includes(scheduled),
      'the feed has all kinds': ['accounts', 'balances', 'connections', 'syncs'].every((kind) => kinds.includes(kind)),
      'a webhook is delivered': told === 'balances.changed',
      'every page is shown': count(pages, 200) === pages.length,
      'every gauge has a value': measured.length > 10 && unmeasured.length === 0,
      'a newcomer connects': newcomer.sync === 'succeeded' && newcomer.exported > 10,
      'a removed connection leaves its accounts': newcomer.accountsLeft === 3,
      'nothing of a deleted person stays': newcomer.rowsLeft.length === 0,
      'a revoked key ends in time': revoked !== null && revoked < KEY_MS,
      'starts again': statuses.every((status) => status === 200),
      'a new table is placed': upgraded === 'by person',
    });
  },
};

function distribute(context: DrillContext, url: string): Promise<unknown> {
  return runCli(context.folder, { DATABASE_URL: url }, 'distribute');
}

async function lists(person: Person): Promise<unknown[]> {
  const bodies: unknown[] = [];
  for (const name of LISTS) bodies.push(await person.json(`/api/v1/${name}`));
  return bodies;
}

/** @returns of each worker, how many shards it has and how many transactions there are on it */
async function transactionsOf({ coordinator }: CitusNodes): Promise<{ shards: number; rows: number }[]> {
  return inSession(coordinator.urlOf(DATABASE), async (session) => {
    const { rows } = await session.query<{ shards: number; rows: number }>(`
      select count(*)::integer as shards, sum(result::integer)::integer as rows
      from run_command_on_shards('transactions', 'select count(*) from %s') join citus_shards using (shardid)
      group by nodename order by nodename`);
    return rows;
  });
}

/** The schedule finds the connection due. @returns what became of its sync */
async function untilScheduled(url: string, person: Person, connectionId: string): Promise<string> {
  await inSession(url, async (session) => {
    const { rows } = await session.query<{ id: string }>('select id from users where email = $1', [person.email]);
    await session.query('update connections set next_sync_at = null where user_id = $1 and id = $2', [
      rows[0]!.id,
      connectionId,
    ]);
  });
  return until(async () => {
    const { syncs } = await person.json<{ syncs: { trigger: string; status: string }[] }>('/api/v1/syncs');
    const sync = syncs.find(({ trigger }) => trigger === 'schedule');
    return sync && !['queued', 'running'].includes(sync.status) ? sync.status : null;
  }, 'an automatic sync has ended');
}

/** @returns what kinds of changes the feed has, from its beginning to its end */
async function feedOf(person: Person): Promise<string[]> {
  const kinds = new Set<string>();
  for (let path = '/api/v1/changes'; ;) {
    const page = await person.json<{ changes: { type: string }[]; cursor: string; has_more: boolean }>(path);
    for (const { type } of page.changes) kinds.add(type);
    if (!page.has_more) return [...kinds].sort();
    path = `/api/v1/changes?cursor=${encodeURIComponent(page.cursor)}`;
  }
}

/** @returns what kind of message came after a change */
async function tellWebhook(context: DrillContext, person: Person): Promise<string> {
  const receiver = await context.startProvider();
  receiver.play(() => ({ status: 204 }));
  const wanted = { url: `${receiver.url}/hook`, event_types: ['balances.changed'] };
  const { status, text } = await person.send('POST', '/api/v1/webhooks', wanted);
  if (status !== 201) throw new Error(`creating a webhook was answered ${status}: ${text}`);
  const [id] = await person.accountIds();
  await person.send('PATCH', `/api/v1/accounts/${id}`, { name: 'Renamed' });
  const { body } = await until(() => receiver.requests[0] ?? null, 'a message has come');
  return (JSON.parse(body) as { type: string }).type;
}

/** @returns the names of the gauges that have a value; what an instance counts is its own */
async function metricsOf({ url }: DrillService): Promise<string[]> {
  const { text } = await ask(`${url}/metrics`);
  const names = [...text.matchAll(/^# TYPE (tidemark_\w+) gauge$/gm)].map(([, name]) => name!);
  return names.filter((name) => new RegExp(`^${name}[ {]`, 'm').test(text)).sort();
}

interface Life {
  sync: string;
  exported: number;
  accountsLeft: number;
  rowsLeft: string[];
}

/** Connects, is synced, takes everything along, removes the bank, and leaves. */
async function lifeOf(person: Person, setupToken: string, url: string): Promise<Life> {
  const id = await person.connect(setupToken);
  const { syncs } = await person.json<{ syncs: { status: string }[] }>('/api/v1/syncs');
  const { html } = await person.visitor.get('/settings/export');
  await person.send('DELETE', `/api/v1/connections/${id}`);
  const accountsLeft = (await person.accountIds()).length;
  const { rows } = await inSession(url, (session) =>
    session.query<{ id: string }>('select id from users where email = $1', [person.email]),
  );
  await person.visitor.submit('/settings/delete', { delete_password: PASSWORD }, '/settings');
  return {
    sync: syncs[0]?.status ?? 'none',
    exported: html.split('\n').length,
    accountsLeft,
    rowsLeft: await rowsLeftOf(url, rows[0]!.id),
  };
}

async function rowsLeftOf(url: string, userId: string): Promise<string[]> {
  const tables = await listTables(url);
  return inSession(url, async (session) => {
    const left: string[] = [];
    for (const { name, columns } of tables) {
      const owner = name === 'users' ? 'id' : 'user_id';
      if (!columns.includes(owner)) continue;
      const { rowCount } = await session.query(`select from ${name} where ${owner} = $1`, [userId]);
      if (rowCount) left.push(name);
    }
    return left;
  });
}

/** @returns how long an event stream went on after its key was revoked at another instance */
async function revokeAt(
  context: DrillContext,
  at: DrillService,
  person: Person,
  follows: DrillService,
): Promise<number | null> {
  const stream = await OpenStream.open(`${follows.url}/api/v1/events`, { 'X-Api-Key': person.key });
  context.onEnd(() => stream.close());
  if (stream.status !== 200) throw new Error(`the event stream was answered ${stream.status}`);
  const { html } = await person.visitor.get('/keys');
  await person.submitAt(at, /\/keys\/[\w-]+\/revoke/.exec(html)![0], {}, '/keys');
  const ms = await stream.endedAfter(performance.now(), LOOK_MS);
  return (await person.get('/api/v1/me')).status === 401 ? ms : null;
}

function placementOf(url: string, table: string): Promise<string> {
  return inSession(url, async (session) => {
    const { rows } = await session.query<{ method: string }>(
      'select partmethod as method from pg_dist_partition where logicalrelid = $1::regclass',
      [table],
    );
    return rows[0]?.method === 'h' ? 'by person' : 'coordinator';
  });
}
