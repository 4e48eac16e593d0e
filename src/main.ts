import { Session } from 'node:inspector/promises';
import { createApp } from './app.setup.js';
import { SignUpService } from './auth/sign-up.service.js';
import { type Config, readConfig } from './platform/config/config.js';
import { PROVIDER_ALLOW_PRIVATE_NETWORK } from './platform/config/environment-values.js';
import type { ProviderDescriptor } from './providers/provider-descriptor.js';
import { Lifecycle } from './platform/lifecycle.js';
import { listen } from './operate/bootstrap/listen.js';
import { asStartupError } from './database/as-startup-error.js';
import { appLogger, logNodeWarnings } from './platform/logging/logger.js';
import { installModules, MODULES } from './modules.js';
import { PROVIDERS } from './providers/installed.js';
import { nameDatabase, startDependencies } from './operate/bootstrap/startup.js';
import { stopAppWith } from './operate/bootstrap/stop-app.js';

await Lifecycle.run(async (lifecycle) => {
  await installModules();
  const config = readConfig(PROVIDERS, MODULES);
  const log = appLogger(config);
  logNodeWarnings(log);
  for (const { given, likely } of config.misspelt) log.warn(`${given} is not a variable of Tidemark: is it ${likely}?`);
  for (const name of config.unusedProxies) {
    log.warn(
      `${name} is not used: a proxy would connect to addresses that Tidemark refuses. Let this machine reach the providers directly.`,
    );
  }
  if (config.providerAllowPrivateNetwork)
    log.warn(`PROVIDER_ALLOW_PRIVATE_NETWORK=${PROVIDER_ALLOW_PRIVATE_NETWORK.description}`);
  if (!config.clockCheck) log.warn('CLOCK_CHECK=off: with a wrong clock, wrong times are stored.');
  process.stdout.write(`listening on ${await serve(config, lifecycle)}\n`);
  await collectGarbage();
});

/** @returns where this process listens */
async function serve(config: Config<ProviderDescriptor>, lifecycle: Lifecycle): Promise<string> {
  const { database, secrets, resealed } = await startDependencies(config, lifecycle, {
    use: 'service',
    modules: MODULES,
  });
  if (resealed > 0) {
    appLogger(config).log(`Sealed ${resealed} credentials anew with the newest APP_SECRET.`, 'Secrets');
  }
  const app = await createApp({ config, database, secrets }).catch((error: unknown) => {
    throw asStartupError(error, nameDatabase(config));
  });
  stopAppWith(lifecycle, app, config);
  const address = await listen(app, config);
  const firstSignUp = await app.get(SignUpService).firstSignUpPath();
  if (firstSignUp) process.stdout.write(`Nobody has signed up yet. The first person opens ${firstSignUp} here.\n`);
  lifecycle.stopping.throwIfAborted();
  return address;
}

/** Of what a start allocates only a third stays, and V8 would keep the room for all of it. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
