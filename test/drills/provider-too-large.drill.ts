import { gzipSync } from 'node:zlib';
import type { InstantBank } from '../support/instant-bank.js';
import type { ScriptedReply } from '../support/scripted-server.js';
import { type Drill, judge, judgeAll } from './drill.js';
import { Person } from './harness/person.js';

const LARGE = Buffer.alloc(80 * 1024 * 1024, ' ');
const CHUNKS = 300;
const SYNC_MS = 120_000;
const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Sync {
  status: string;
  problems: { kind: string }[];
}

/** JSON as it should be, and much of it. */
function* manyTransactions(): Iterable<Buffer> {
  yield Buffer.from('{"errlist":[],"connections":[],"accounts":[{"id":"a","transactions":[');
  for (let chunk = 0; chunk < CHUNKS; chunk++) yield Buffer.from(`{"id":"${'x'.repeat(1024 * 1024)}"},`);
}

const ANSWERS: { name: string; reply: () => ScriptedReply }[] = [
  { name: '300 MiB in chunks', reply: () => ({ chunks: manyTransactions(), headers: JSON_TYPE }) },
  { name: '80 MiB', reply: () => ({ body: LARGE, headers: JSON_TYPE }) },
  {
    name: '80 MiB in gzip',
    reply: () => ({ body: gzipSync(LARGE), headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' } }),
  },
];

export const drill: Drill = {
  name: 'provider-too-large',
  expectation:
    'An answer over the size limit, compressed or not, is fetched once and reported as a kind of its own, not as the network.',
  sentence: 10,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    const bank = await context.startBank(1);
    const id = await person.connect(bank.setupToken('owner'));
    return judgeAll(ANSWERS, async ({ name, reply }) => {
      const { fetched, status, kinds } = await syncWith(bank, reply, person, id);
      return judge(`${name}: fetched ${fetched} times; sync ${status}: ${kinds.join(', ') || 'no problem'}`, {
        'fetched once': fetched === 1,
        'a kind of its own': kinds.join() === 'answer_too_large',
      });
    });
  },
};

async function syncWith(bank: InstantBank, reply: () => ScriptedReply, person: Person, connectionId: string) {
  bank.play(reply);
  const before = bank.asked();
  const { text } = await person.syncNow(connectionId);
  const { id } = JSON.parse(text) as { id: string };
  const status = await person.syncEnded(id, SYNC_MS);
  const { problems } = await person.json<Sync>(`/api/v1/syncs/${id}`);
  return { fetched: bank.asked() - before, status, kinds: problems.map(({ kind }) => kind) };
}
