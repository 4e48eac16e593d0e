import { createApp } from './app.setup.js';
import { readConfig } from './config/config.js';
import { Lifecycle } from './bootstrap/lifecycle.js';
import { listen } from './bootstrap/listen.js';
import { giveBackMemory } from './bootstrap/give-back-memory.js';
import { PROVIDERS } from './providers.js';
import { startSurroundings } from './bootstrap/startup.js';
import { stopAppWith } from './bootstrap/stop-app.js';

await Lifecycle.run(async (lifecycle) => {
  const config = readConfig(PROVIDERS);
  const { database, secrets } = await startSurroundings(config, lifecycle);
  const app = await createApp({ config, database, secrets });
  stopAppWith(lifecycle, app, config);
  const address = await listen(app, config);
  lifecycle.stopping.throwIfAborted();
  giveBackMemory();
  process.stdout.write(`listening on ${address}\n`);
});
