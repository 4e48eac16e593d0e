import type { DebianPostgres } from '../support/debian-postgres.js';
import { type CitusNodes, inSession, joinNodes } from '../support/citus-nodes.js';
import { digestsOf } from './citus/digests.js';
import { pagesOf } from './citus/pages.js';
import { startNodes } from './citus/start-nodes.js';
import { type Drill, judge } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { type Answer, areAll, ask, count, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { DrillProcess } from './harness/processes.js';
import { addTransactions } from './harness/rows.js';
import { baseSettings, type DrillService, runCli } from './harness/service.js';
import { pause, poll, seconds, until } from './harness/waiting.js';

const DATABASE = 'tidemark';
const PEOPLE = 6;
const ROWS = 5_000;
const STOP_MS = 30_000;
const AWAY_MS = 4_000;
const BETWEEN_MS = 20;
const ANSWER_MS = 20_000;
const WELL_MS = 30_000;
const LISTS = ['accounts', 'balances', 'transactions', 'holdings', 'net_worth', 'syncs', 'changes'];

export const drill: Drill = {
  name: 'citus-faults',
  expectation:
    'Distributing is refused beside an instance, and a killed one changes nothing; lists and pages of people elsewhere outlive a worker, all else is 503 with Retry-After, and all is well once the node is back.',
  sentence: 22,
  isOptional: true,
  timeoutMs: 900_000,
  async run(context) {
    const { nodes, url } = await startNodes(context, DATABASE);
    const bank = await context.startBank(2);
    const before = await context.startServiceWith({ DATABASE_URL: url });
    const people: Person[] = [];
    /** By e-mail address. */
    const connections = new Map<string, string>();
    for (let number = 0; number < PEOPLE; number++) {
      const person = await Person.signUp(before);
      people.push(person);
      connections.set(person.email, await person.connect(bank.setupToken(`person-${number}`)));
    }
    await inSession(url, (session) => addTransactions(session, people[0]!.email, ROWS));
    await joinNodes(
      url,
      nodes.workers.map((worker) => worker.urlOf(DATABASE)),
    );

    context.progress('distributing beside an instance');
    const beside = await distribute(context, url);
    const servedMeanwhile = await Promise.all(LISTS.map((list) => people[0]!.get(`/api/v1/${list}`)));
    await before.stopWithin(STOP_MS);
    const digests = await digestsOf(url);

    context.progress('killing it in the middle');
    await killInTheMiddle(context, url);
    const afterKill = await digestsOf(url);
    const placedAfterKill = await placedTables(url);
    context.progress('losing a worker in the middle');
    const lost = await loseAWorker(context, url, nodes.workers[0]!);
    const afterLoss = await digestsOf(url);
    const placedAfterLoss = await placedTables(url);
    context.progress('distributing');
    const whole = await distribute(context, url);
    const after = await digestsOf(url);

    const service = await context.startServiceWith({ DATABASE_URL: url });
    const everybody = people.map((person) => person.elsewhere(service));
    const [first] = nodes.workers as [DebianPostgres];
    const ofFirst = await peopleOn(nodes, first, everybody);
    const ofOthers = everybody.filter((person) => !ofFirst.includes(person));
    context.progress(`a worker away, with ${ofFirst.length} of ${PEOPLE} people`);
    const worker = await readDuring(everybody, async () => {
      await first.kill();
      await pause(AWAY_MS);
    });
    const askForSync = (person: Person) => person.syncNow(connections.get(person.email)!);
    const synced = async (person: Person) => {
      const { status, text } = await askForSync(person);
      return status === 202 ? person.syncEnded((JSON.parse(text) as { id: string }).id) : `${status} ${text}`;
    };
    const syncs = await Promise.all(everybody.map(askForSync));
    const pages = (await Promise.all(ofOthers.map(pagesOf))).flat();
    const readyMeanwhile = await ask(`${service.url}/health/ready`);
    await first.startAgain();
    const workerBackMs = await wellAgainMs(service, everybody);
    context.progress('the coordinator away');
    const coordinator = await readDuring(everybody, async () => {
      await nodes.coordinator.kill();
      await pause(AWAY_MS / 2);
    });
    await nodes.coordinator.startAgain();
    const coordinatorBackMs = await wellAgainMs(service, everybody);
    const syncedAfter = await Promise.all(everybody.map(synced));
    const errors = service.logLines.filter(({ level }) => level === 50);

    const answersOf = (those: readonly Person[]) => those.flatMap((person) => worker.get(person)!);
    const [hit, spared] = [answersOf(ofFirst), answersOf(ofOthers)];
    const lists = new Set(spared.filter(({ status }) => status !== 200).map(({ list }) => list));
    const unserved = lists.size > 0 ? ` (${[...lists].join(', ')})` : '';
    const all = [...coordinator.values()].flat();
    const figure =
      `beside an instance: ${beside}. Killed, then without a worker (${lost}), then: ${whole}. ` +
      `A worker away: its people ${tally(hit)}, the others ${tally(spared)}${unserved} and pages ${tally(pages)}, ` +
      `asking for a sync ${tally(syncs)}, ` +
      `well after ${time(workerBackMs)}. ` +
      `The coordinator away: ${tally(all)}, slowest ${seconds(slowest(all))}, well after ${time(coordinatorBackMs)}. ` +
      `Then ${syncedAfter.length} syncs: ${[...new Set(syncedAfter)].join(', ')}; ${errors.length} errors in the log`;
    return judge(figure, {
      'refused beside an instance, which goes on':
        beside.includes('stop') && count(servedMeanwhile, 200) === LISTS.length,
      'a kill changes nothing': afterKill.join() === digests.join() && placedAfterKill === 0,
      'a lost worker changes nothing': afterLoss.join() === digests.join() && placedAfterLoss === 0,
      'then it distributes': whole === 'distributed' && after.join() === digests.join(),
      'both kinds of people': ofFirst.length > 0 && ofOthers.length > 0,
      'only 200 and 503 with Retry-After': areAll([...hit, ...spared, ...syncs, ...all], 200, 202, 503),
      'its people are told to wait': count(hit, 503) > 0,
      'the others are served': count(spared, 200) === spared.length && count(pages, 200) === pages.length,
      'well again by itself': workerBackMs !== null && coordinatorBackMs !== null,
      'everybody syncs after it': syncedAfter.every(hasSucceeded),
      'the instance stays ready without a worker': readyMeanwhile.status === 200,
    });
  },
};

const hasSucceeded = (status: string) => status === 'succeeded' || status === 'partial';
const time = (ms: number | null) => (ms === null ? 'never' : seconds(ms));

/** @returns `distributed`, or the sentence of the refusal */
async function distribute(context: DrillContext, url: string): Promise<string> {
  return runCli(context.folder, { DATABASE_URL: url }, 'distribute').then(
    () => 'distributed',
    (error: Error) => error.message,
  );
}

function startDistributing(context: DrillContext, url: string): DrillProcess {
  const settings = { ...baseSettings(context.folder), DATABASE_URL: url };
  return DrillProcess.start(context.folder, process.execPath, ['dist/src/cli.js', 'distribute'], settings);
}

/** After some tables have been moved. */
async function untilInTheMiddle(url: string): Promise<void> {
  await until(
    () =>
      inSession(url, async (session) => {
        const { rowCount } = await session.query(
          `select 1 from pg_stat_activity where query like 'select create_distributed_table(%' and state <> 'idle'
             and query_start > xact_start + interval '300 milliseconds'`,
        );
        return rowCount === 1;
      }),
    'it distributes',
  );
}

async function killInTheMiddle(context: DrillContext, url: string): Promise<void> {
  const distributing = startDistributing(context, url);
  await untilInTheMiddle(url);
  await distributing.kill();
  await until(
    () =>
      inSession(url, async (session) => {
        const { rowCount } = await session.query(
          `select 1 from pg_stat_activity where query like '%distributed_table(%' and pid <> pg_backend_pid()`,
        );
        return rowCount === 0;
      }),
    'its session has ended',
  );
}

/** @returns its last words */
async function loseAWorker(context: DrillContext, url: string, worker: DebianPostgres): Promise<string> {
  const distributing = startDistributing(context, url);
  await untilInTheMiddle(url);
  await worker.kill();
  const ending = await distributing.endedWithin(WELL_MS);
  await worker.startAgain();
  return `exit ${ending?.code ?? 'never'}: ${distributing.lastWords}`;
}

function placedTables(url: string): Promise<number> {
  return inSession(url, async (session) => {
    const { rows } = await session.query<{ count: number }>('select count(*)::integer as count from pg_dist_partition');
    return rows[0]!.count;
  });
}

async function peopleOn(nodes: CitusNodes, worker: DebianPostgres, people: readonly Person[]): Promise<Person[]> {
  const folder = decodeURIComponent(new URL(worker.urlOf(DATABASE)).hostname);
  return inSession(nodes.coordinator.urlOf(DATABASE), async (session) => {
    const { rows } = await session.query<{ email: string }>(
      `select email from users join pg_dist_shard_placement
         on shardid = get_shard_id_for_distribution_column('transactions', id) where nodename = $1`,
      [folder],
    );
    return people.filter(({ email }) => rows.some((row) => row.email === email));
  });
}

interface ListAnswer extends Answer {
  list: string;
}

/** Everybody reads their lists meanwhile. */
async function readDuring(people: readonly Person[], work: () => Promise<void>): Promise<Map<Person, ListAnswer[]>> {
  const answers = new Map<Person, ListAnswer[]>(people.map((person) => [person, []]));
  let isOver = false;
  const readers = people.map(async (person) => {
    for (let turn = 0; !isOver; turn++) {
      const list = LISTS[turn % LISTS.length]!;
      answers.get(person)!.push({ list, ...(await person.get(`/api/v1/${list}`, { timeoutMs: ANSWER_MS })) });
      await pause(BETWEEN_MS);
    }
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(readers);
  }
  return answers;
}

/** @returns null when it was not in time */
async function wellAgainMs(service: DrillService, people: readonly Person[]): Promise<number | null> {
  const startedAt = performance.now();
  if ((await service.readyWithin(WELL_MS)) === null) return null;
  const areWell = async () => {
    const answers = await Promise.all(people.map((person) => person.get('/api/v1/accounts')));
    return count(answers, 200) === people.length;
  };
  return (await poll(areWell, WELL_MS)) && performance.now() - startedAt;
}
