import { type Drill, judge } from './drill.js';
import { ask, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { baseSettings } from './harness/service.js';
import { seconds } from './harness/waiting.js';

const END_MS = 60_000;

export const drill: Drill = {
  name: 'downgrade-refused',
  expectation:
    'A newer version migrates the database: the instance that runs goes on, one that starts ends with a sentence and exit code 78.',
  sentence: 16,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const running = await context.startService(postgres);
    const person = await Person.signUp(running);
    const client = await postgres.connect();
    await client.query(`insert into migrations (name) values ('Migration29990101000000Future')`);
    const startedAt = performance.now();
    const settings = { ...baseSettings(context.folder), DATABASE_URL: postgres.url };
    const older = context.startProgram(process.execPath, ['dist/bundle/main.js'], settings);
    const ending = await older.endedWithin(END_MS);
    const tookMs = performance.now() - startedAt;
    const lines = older.stderr.trim().split('\n');
    const answers = [await person.get('/api/v1/accounts'), await ask(`${running.url}/health/ready`)];
    const figure = `exit ${ending?.code} after ${seconds(tookMs)}: "${lines[0]}"; the one that runs: ${tally(answers)}`;
    return judge(figure, {
      'exit code 78': ending?.code === 78,
      'one sentence': lines.length === 1 && /^The database was changed by a newer version/.test(lines[0]!),
      'the other one goes on': answers[0]!.status === 200 && answers[1]!.status === 200,
    });
  },
};
