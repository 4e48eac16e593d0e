import { type Drill, judge } from './drill.js';
import { embeddedServerOf, startEmbedded } from './harness/embedded.js';
import { poll, seconds, until } from './harness/waiting.js';
import { ask } from './harness/http.js';

const RECOVER_MS = 40_000;

export const drill: Drill = {
  name: 'embedded-dies',
  expectation: 'When the embedded PostgreSQL alone is killed, the service starts it again.',
  sentence: 11,
  async run(context) {
    const { service, dataDir } = await startEmbedded(context);
    const killed = (await embeddedServerOf(dataDir))!;
    process.kill(killed, 'SIGKILL');
    const killedAt = performance.now();
    await until(async () => (await embeddedServerOf(dataDir)) !== killed, 'the server is dead', 10_000);
    const outcome = await poll(async () => {
      if (service.process.ending) return `exit ${service.process.ending.code}`;
      const { status } = await ask(`${service.url}/health/ready`, { timeoutMs: 3_000 });
      return status === 200 && 'ready';
    }, RECOVER_MS);
    const ms = performance.now() - killedAt;
    const figure = `${outcome ?? 'neither ready nor ended'} after ${seconds(ms)}`;
    return judge(figure, { 'ready again': outcome === 'ready' });
  },
};
