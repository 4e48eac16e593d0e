import { Agent } from 'node:http';
import { type Drill, judge } from './drill.js';
import { Balancer } from './harness/balancer.js';
import { type Answer, count, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import type { DrillService } from './harness/service.js';
import { pause, seconds, until } from './harness/waiting.js';

const INSTANCES = 3;
const CLIENTS = 8;
const BETWEEN_MS = 10;
const STOP_MS = 30_000;
/** Longer than the balancer needs to look. */
const DRAIN = { SHUTDOWN_DRAIN_MS: '2000' };

export const drill: Drill = {
  name: 'rolling-restart',
  expectation:
    'Three instances behind a balancer that looks at ready every 0.5 s are restarted one after the other under eight kept-alive clients, and no request fails.',
  sentence: 14,
  isFast: true,
  async run(context) {
    const postgres = await context.startPostgres();
    const instances: DrillService[] = [];
    for (let started = 0; started < (context.isShort ? 2 : INSTANCES); started++)
      instances.push(await context.startService(postgres, DRAIN));
    const person = await Person.signUp(instances[0]!);
    const balancer = await Balancer.start();
    context.onEnd(() => balancer.close());
    for (const { url } of instances) balancer.add(url);
    const allAreReady = () => until(() => balancer.areAllReady, 'all are ready');
    await allAreReady();
    const load = startClients(person, balancer.url);
    const stops: string[] = [];
    for (const instance of context.isShort ? instances.slice(0, 1) : instances) {
      context.progress(`restarting ${instance.url}`);
      await pause(500);
      const stopped = await instance.stopWithin(STOP_MS);
      stops.push(stopped ? `exit ${stopped.code} after ${seconds(stopped.ms)}` : 'no exit');
      balancer.remove(instance.url);
      balancer.add((await context.startService(postgres, DRAIN)).url);
      await allAreReady();
    }
    await pause(500);
    const answers = await load.stop();
    const failed = answers.length - count(answers, 200);
    const figure =
      `${failed} of ${answers.length} failed (${tally(answers)}; ${balancer.failures.join(', ') || 'no broken connection'}), ` +
      `slowest ${seconds(slowest(answers))}; ${stops.join(', ')}`;
    return judge(figure, {
      'no request fails': failed === 0,
      'each stops in order': stops.every((stop) => stop.startsWith('exit 0')),
    });
  },
};

function startClients(person: Person, url: string) {
  const answers: Answer[] = [];
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const caller = person.elsewhere({ url });
    for (let page = client; !isOver; page += CLIENTS) {
      answers.push(await caller.get(`/api/v1/transactions?page=${page + 1}`, { agent }));
      await pause(BETWEEN_MS);
    }
    agent.destroy();
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      return answers;
    },
  };
}
