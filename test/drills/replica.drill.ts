import { join } from 'node:path';
import { type Drill, judge } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { type Answer, ask, count, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import type { DrillPostgres } from './harness/postgres.js';
import type { DrillService } from './harness/service.js';
import { pause, poll, seconds } from './harness/waiting.js';

const READERS = 8;
const PHASE_MS = 3_000;
const CHANGES = 10;
/** The limit for a session as set below, and room for a busy machine. */
const CONNECT_MS = 2_000;
const ANSWER_MS = 10_000;
const AGAIN_MS = 30_000;
const LISTS = ['/api/v1/accounts', '/api/v1/transactions', '/api/v1/holdings', '/api/v1/balances'];
const EXPORTS: ReadonlySet<string> = new Set(['/api/v1/transactions', '/api/v1/balances']);
const CSV = { Accept: 'text/csv' };

/** What became of the lists of some instances, by result. */
type Reads = Record<string, number>;

export const drill: Drill = {
  name: 'replica',
  expectation:
    'Lists and exports are read from a replica, and each person sees their own changes at once at every instance, while it is level, behind, killed by kill -9, back, and promoted and written to; no request fails.',
  sentence: 1,
  isFast: false,
  timeoutMs: 400_000,
  async run(context) {
    const postgres = await context.startPostgres();
    const standby = await postgres.startStandby(join(context.folder.path, 'standby'));
    context.onEnd(() => standby.close());
    const settings = { DATABASE_REPLICA_URL: standby.url, DATABASE_CONNECT_TIMEOUT_MS: String(CONNECT_MS) };
    const here = await context.startService(postgres, settings);
    const there = await context.startService(postgres, settings);
    const person = await Person.signUp(here);
    const elsewhere = person.elsewhere(there);
    const bank = await context.startBank(3);
    await person.connect(bank.setupToken('ann'), { history_days: 365 });
    const phases = new Phases(context, [here, there], [person, elsewhere]);

    await postgres.followedBy(standby);
    const level = await phases.play('level', () => pause(PHASE_MS));
    await standby.pauseReplay();
    const behind = await phases.play('behind', () => phases.changes());
    await standby.resumeReplay();
    await postgres.followedBy(standby);
    const lost = await phases.play('lost', async () => {
      await standby.stop('SIGKILL');
      await phases.changes();
    });
    await standby.startAgain();
    await postgres.followedBy(standby);
    const backMs = await phases.usedAgainMs();
    const promoted = await phases.play('promoted', async () => {
      await standby.promote();
      await writeThere(context, standby, person);
      await phases.changes();
    });

    const all = [level, behind, lost, promoted];
    const figure =
      `${all.map((phase) => phase.figure).join('. ')}. ` +
      `Used again ${backMs === null ? 'never' : `${seconds(backMs)} after it was back`}`;
    return judge(figure, {
      'every request is answered 200': all.every(({ answers }) => count(answers, 200) === answers.length),
      'nobody waits longer than for one session': all.every(({ answers }) => slowest(answers) < ANSWER_MS),
      'a level replica is read':
        level.reads['replica']! > 0 && Object.keys(level.reads).every((it) => it === 'replica'),
      'one that is behind is not': behind.reads['behind']! > 0,
      'a lost one is not, nor a promoted one': lost.reads['away']! > 0 && promoted.reads['away']! > 0,
      'each change is seen at once at both instances': all.every(({ unseen }) => unseen === 0),
      'it is used again': backMs !== null,
    });
  },
};

/** Somebody takes the promoted server for theirs and writes as many revisions as the primary has. */
async function writeThere(context: DrillContext, promoted: DrillPostgres, person: Person): Promise<void> {
  const service = await context.startService(promoted);
  const stranded = person.elsewhere(service);
  for (let change = 0; change < CHANGES; change++) await rename(stranded, `Stranded ${change}`);
  await service.process.kill();
}

async function rename(person: Person, name: string): Promise<void> {
  const [id] = await person.accountIds();
  const { status, failure } = await person.send('PATCH', `/api/v1/accounts/${id}`, { name });
  if (status !== 200) throw new Error(`renaming was answered ${status} ${failure}`);
}

interface Phase {
  answers: Answer[];
  reads: Reads;
  unseen: number;
  figure: string;
}

class Phases {
  #changes = 0;
  #unseen = 0;

  constructor(
    private readonly context: DrillContext,
    private readonly services: readonly DrillService[],
    private readonly people: readonly Person[],
  ) {}

  /** Does something while others read everything at all instances. */
  async play(name: string, work: () => Promise<void>): Promise<Phase> {
    this.context.progress(name);
    this.#unseen = 0;
    const changesBefore = this.#changes;
    const before = await this.#reads();
    const answers: Answer[] = [];
    let isOver = false;
    const readers = Array.from({ length: READERS }, async (_, reader) => {
      const person = this.people[reader % this.people.length]!;
      // A key may have two exports at an instance, and one is left for who looks for changes.
      const isExporter = reader < this.people.length;
      for (let turn = reader; !isOver; turn++) {
        const path = LISTS[turn % LISTS.length]!;
        const isExport = isExporter && EXPORTS.has(path);
        answers.push(await person.get(path, isExport ? { headers: CSV } : {}));
      }
    });
    try {
      await work();
    } finally {
      isOver = true;
      await Promise.all(readers);
    }
    const after = await this.#reads();
    const reads = Object.fromEntries(
      Object.entries(after)
        .map(([result, number]) => [result, number - (before[result] ?? 0)] as const)
        .filter(([, number]) => number > 0),
    );
    const changes = this.#changes - changesBefore;
    const seen = changes > 0 ? `, ${changes - this.#unseen} of ${changes} changes seen at once at both instances` : '';
    const read = Object.entries(reads).map(([result, number]) => `${number} ${result}`);
    const figure = `${name}: ${tally(answers)}, slowest ${seconds(slowest(answers))} (${read.join(', ')})${seen}`;
    return { answers, reads, unseen: this.#unseen, figure };
  }

  /** Renames an account at one instance after the other, and looks at once at all of them. */
  async changes(): Promise<void> {
    for (let turn = 0; turn < CHANGES; turn++) {
      const name = `Name ${++this.#changes}`;
      await rename(this.people[turn % this.people.length]!, name);
      const lists = await Promise.all(
        this.people.flatMap((person) => [
          person.get('/api/v1/accounts'),
          person.get('/api/v1/transactions', { headers: CSV }),
        ]),
      );
      if (!lists.every(({ text }) => text.includes(name))) this.#unseen++;
    }
  }

  /** @returns null when it was not in time */
  async usedAgainMs(): Promise<number | null> {
    const startedAt = performance.now();
    const before = await this.#reads();
    const isUsed = async () => {
      await Promise.all(this.people.map((person) => person.get('/api/v1/accounts')));
      await pause(100);
      return ((await this.#reads())['replica'] ?? 0) > (before['replica'] ?? 0);
    };
    return (await poll(isUsed, AGAIN_MS)) && performance.now() - startedAt;
  }

  async #reads(): Promise<Reads> {
    const reads: Reads = {};
    for (const { url } of this.services) {
      const { text } = await ask(`${url}/metrics`);
      for (const [, result, number] of text.matchAll(/^tidemark_replica_reads_total\{result="(\w+)"\} (\d+)$/gm)) {
        reads[result!] = (reads[result!] ?? 0) + Number(number);
      }
    }
    return reads;
  }
}
