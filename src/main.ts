import { createApp } from './app.setup.js';
import { readConfig } from './config.js';
import { exitOnError, giveBackMemory, stopOnSignal } from './process.js';
import { listen } from './listen.js';
import { PROVIDERS } from './providers.js';
import { startSurroundings } from './startup.js';

await exitOnError(async () => {
  const config = readConfig(PROVIDERS);
  const started = await startSurroundings(config);
  const app = await createApp({ config, ...started });
  const address = await listen(app, config).catch(async (error: unknown) => {
    await app.close();
    await started.stop();
    throw error;
  });
  stopOnSignal(async () => {
    await app.close();
    await started.stop();
  });
  giveBackMemory();
  process.stdout.write(`listening on ${address}\n`);
});
