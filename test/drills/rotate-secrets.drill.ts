import { type Drill, judge } from './drill.js';
import { tally } from './harness/http.js';
import { Person } from './harness/person.js';
import type { DrillPostgres } from './harness/postgres.js';
import type { DrillService } from './harness/service.js';

const INSTANCES = 3;
const STOP_MS = 30_000;
const [OLD, NEW] = ['the old root secret of this drill', 'the new root secret of this drill'];
/** As docs/operations.md says. */
const STEPS = [`${OLD},${NEW}`, `${NEW},${OLD}`, NEW];

export const drill: Drill = {
  name: 'rotate-secrets',
  expectation:
    'The secret of three instances is rotated in the order of docs/operations.md: every sync at every step succeeds, and in the end the old secret opens nothing.',
  sentence: 18,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const bank = await context.startBank(2);
    const instances: DrillService[] = [];
    for (let started = 0; started < INSTANCES; started++) {
      instances.push(await context.startService(postgres, { APP_SECRET: OLD }));
    }
    const person = await Person.signUp(instances[0]!);
    const connections = [await person.connect(bank.setupToken('ann')), await person.connect(bank.setupToken('bob'))];
    const statuses: string[] = [];
    for (const [step, APP_SECRET] of STEPS.entries()) {
      for (const index of instances.keys()) {
        context.progress(`step ${step + 1}, instance ${index + 1}`);
        const next = await context.startService(postgres, { APP_SECRET });
        await instances[index]!.stopWithin(STOP_MS);
        instances[index] = next;
        // Whichever instance takes the job.
        for (const connection of connections)
          statuses.push(await syncOnce(postgres, person.elsewhere(next), connection));
      }
      if (step === 1) await context.runCliWith(postgres, { APP_SECRET }, 'secrets:rotate');
    }
    const left = (await context.runCliWith(postgres, { APP_SECRET: NEW }, 'secrets:rotate')) as { left: number };
    const old = await context.runCliWith(postgres, { APP_SECRET: OLD }, 'secrets:rotate').then(() => '', String);
    const good = statuses.filter((status) => status === 'succeeded').length;
    const pages = [await person.elsewhere(instances[0]!).get('/api/v1/accounts')];
    const figure = `${good} of ${statuses.length} syncs succeeded over 9 restarts; left under the old secret: ${left.left}; lists ${tally(pages)}`;
    return judge(figure, {
      'every sync succeeds': good === statuses.length,
      'nothing is left': left.left === 0,
      'the old one opens nothing': old.includes(`${connections.length} are under a secret that is not in the list`),
    });
  },
};

async function syncOnce(postgres: DrillPostgres, person: Person, connection: string): Promise<string> {
  const client = await postgres.connect();
  await client.query('delete from provider_requests');
  await client.end();
  const { text } = await person.syncNow(connection);
  return person.syncEnded((JSON.parse(text) as { id: string }).id);
}
