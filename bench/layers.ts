import { parseArgs } from 'node:util';
import { CpuSeconds } from './cpu-seconds.js';
import { inTurns } from './in-turns.js';
import { createAccountHolder, fillHistory } from './list/fill-history.js';
import { headersOf } from './list/floor-headers.js';
import { leaveACoreToTheLoad, load, type Question } from './load.js';
import { median } from './median.js';
import { type Server, startScript, startTidemark, TRACES_GARBAGE } from './servers.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// What is a page of 25 balances made of? The floor of bench:list, with one more layer of the service in each line.
// npm run bench:layers [-- --rounds 15 --seconds 2]

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '2' } },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
/** After so many requests V8 has compiled what it will. */
const WARM_UP_REQUESTS = 5_000;

interface Layer {
  server: Server;
  question: Question;
}

/** Of one request. */
interface Cost {
  micros: number;
  allocatedKb: number;
  survivedKb: number;
}

await leaveACoreToTheLoad();
const database = await startThrowawayDatabase();
const person = await createAccountHolder(database.client);
await fillHistory(database.client, person);
await database.client.query('vacuum analyze');
const flags = [TRACES_GARBAGE];
const ask = (server: Server, path: string): Question => ({
  url: `${server.url}/${path}`,
  headers: { 'X-Api-Key': person.key },
});
const tidemark = await startTidemark(database.url, {}, flags);
const balances = 'api/v1/balances?per_page=25';
const headers = JSON.stringify(await headersOf(ask(tidemark, balances)));
const floor = await startScript('bench/list/floor.ts', [database.url, person.key, person.userId, headers], flags);
const startLayers = (kind: string) =>
  startScript('bench/list/layers.ts', [kind, database.url, person.userId, headers], flags);
const [express, nest, service] = await Promise.all(['express', 'nest', 'service'].map(startLayers));
const servers = [tidemark, floor, express!, nest!, service!];
const layer = (server: Server, path: string): Layer => ({ server, question: ask(server, path) });

const LAYERS: Record<string, Layer> = {
  'floor: node:http': layer(floor, balances),
  '+ Express': layer(express!, 'bare'),
  '+ Nest': layer(nest!, 'bare'),
  '+ middlewares and routes of the service': layer(service!, 'api/v1/layers/middlewares'),
  '+ guards: key, limit, scope, media type': layer(service!, 'api/v1/layers/guards'),
  '+ query: made an instance, validated': layer(service!, 'api/v1/layers/query?per_page=25'),
  '+ interceptor: tag and links': layer(service!, 'api/v1/layers/tag?per_page=25'),
  '+ ranges, repository, governed sessions': layer(service!, balances),
};

async function warmUp({ question }: Layer): Promise<void> {
  for (let asked = 0; asked < WARM_UP_REQUESTS;) asked += (await load(question, seconds)).requests;
}

async function costOf({ server, question }: Layer): Promise<Cost> {
  const cpu = await CpuSeconds.of([server], database.client);
  const [before, garbage] = [await cpu.now(), server.garbage()];
  const { requests } = await load(question, seconds);
  const [after, left] = [await cpu.now(), server.garbage()];
  return {
    micros: ((after.servers - before.servers) * 1e6) / requests,
    allocatedKb: (left.allocated - garbage.allocated) / 1000 / requests,
    survivedKb: (left.survived - garbage.survived) / 1000 / requests,
  };
}

/** The median, and by how much it is more than the line before in the same round. */
function tell(name: string, costs: readonly Cost[], before: readonly Cost[] | undefined): void {
  const cells = (['micros', 'allocatedKb', 'survivedKb'] as const).flatMap((unit) => {
    const digits = unit === 'survivedKb' ? 1 : 0;
    const rise = before && median(costs.map((cost, round) => cost[unit] - before[round]![unit]));
    return [median(costs.map((cost) => cost[unit])).toFixed(digits), rise?.toFixed(digits) ?? ''];
  });
  console.log(name.padEnd(42) + cells.map((cell, at) => cell.padStart(at % 2 ? 7 : 10)).join(''));
}

try {
  for (const each of Object.values(LAYERS)) await warmUp(each);
  const measured = await inTurns(LAYERS, rounds, costOf);
  console.log(`${'of a request'.padEnd(42)}       µs   more    kB new   more    copied  more`);
  let before: readonly Cost[] | undefined;
  for (const name of Object.keys(LAYERS)) {
    tell(name, measured[name]!, before);
    before = measured[name];
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
}
