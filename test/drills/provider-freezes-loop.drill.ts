import type { ScriptedReply } from '../support/scripted-server.js';
import { type Drill, judge, judgeAll } from './drill.js';
import { Person } from './harness/person.js';
import { Probe } from './harness/probe.js';

const SYNC_MS = 120_000;
const CHUNKS = 40;
const MIB = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** JSON as it should be around many chunks of a text. */
function* repeated(head: string, piece: string): Iterable<Buffer> {
  yield Buffer.from(head);
  const chunk = Buffer.from(piece.repeat(Math.ceil(MIB / piece.length)));
  for (let number = 0; number < CHUNKS; number++) yield chunk;
}

/** Each is within the size that an answer may have, and takes long to read. */
const ANSWERS: { name: string; chunks: () => Iterable<Buffer> }[] = [
  { name: '40 MiB of empty lists', chunks: () => repeated('{"errlist":[],"more":[', '[],') },
  { name: '40 MiB of accounts', chunks: () => repeated('{"errlist":[],"accounts":[', '{"id":"a"},') },
  { name: '40 MiB of transactions', chunks: () => repeated('{"accounts":[{"id":"a","transactions":[', '{"id":"t"},') },
];

export const drill: Drill = {
  name: 'provider-freezes-loop',
  expectation:
    'An answer of a provider that would take seconds to read at a stretch is refused as too large, and other people are answered meanwhile.',
  sentence: 10,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const [person, other] = [await Person.signUp(service), await Person.signUp(service)];
    const bank = await context.startBank(1);
    const id = await person.connect(bank.setupToken('owner'));
    const probe = await Probe.start([
      [`${service.url}/health/live`],
      [`${service.url}/api/v1/accounts`, { headers: { 'X-Api-Key': other.key } }],
    ]);
    const figures = await judgeAll(ANSWERS, async ({ name, chunks }) => {
      bank.play((): ScriptedReply => ({ chunks: chunks(), headers: JSON_TYPE }));
      const { text } = await person.syncNow(id);
      const { id: sync } = JSON.parse(text) as { id: string };
      const status = await person.syncEnded(sync, SYNC_MS);
      const { problems } = await person.json<{ problems: { kind: string }[] }>(`/api/v1/syncs/${sync}`);
      const kinds = problems.map(({ kind }) => kind);
      return judge(`${name}: sync ${status}: ${kinds.join(', ')}`, {
        'refused as too large': kinds.includes('answer_too_large'),
      });
    });
    await probe.stop();
    return judge(`${figures}; ${probe.figure}`, { 'others are answered': probe.isWell });
  },
};
