import { EntityManager, RequestContext } from '@mikro-orm/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../app.setup.js';
import { ApiKeys } from '../auth/api-keys.service.js';
import { SCOPES } from '../auth/scopes.js';
import { User } from '../auth/user.entity.js';
import { Users } from '../auth/users.service.js';
import { followSync } from '../cli/follow-sync.js';
import { type Config, readConfig } from '../config.js';
import { listen } from '../listen.js';
import { stopOnSignal } from '../process.js';
import { freshSetupToken } from '../sandbox/us-provider/setup-token.js';
import { type Started, startSurroundings } from '../startup.js';
import { DemoClient } from './demo-client.js';
import { farewell, say } from './words.js';

const EMAIL = 'demo@tidemark.example';
const PASSWORD = 'tidemark-demo';

/** What a newcomer would do by hand, in one go and against the sandbox; the requests are the real API's. */
export async function runDemo(): Promise<void> {
  const config = readConfig(demoEnvironment());
  say('Starting the embedded PostgreSQL …');
  const started = await startSurroundings(config);
  const app = await createApp({ config, ...started });
  stopOnSignal(() => stop(app, started));
  const url = await listenSomewhere(app, config);
  say(`Tidemark listens on ${url}`);

  const key = await createDemoUser(app);
  say(`Created the user ${EMAIL} and an API key.`);
  const client = new DemoClient(url, key);
  const connection = await client.connect(freshSetupToken(url, 'healthy'));
  say('Connected the US provider of the sandbox with a setup token. Syncing:');
  await followSync(() => client.sync(connection.latest_sync_id));
  farewell(url, key, await client.countBalances());
}

function demoEnvironment(): NodeJS.ProcessEnv {
  return {
    SANDBOX: '1',
    PROVIDER_ALLOW_PRIVATE_NETWORK: '1',
    USPROVIDER_ALLOWED_HOSTS: '*',
    DATABASE_URL: '',
    DATA_DIR: './.data/demo',
    LOG_LEVEL: 'error',
  };
}

async function stop(app: NestExpressApplication, started: Started): Promise<void> {
  await app.close();
  await started.stop();
}

/** On the usual port, or on a free one where that is taken. */
async function listenSomewhere(app: NestExpressApplication, config: Config): Promise<string> {
  return listen(app, config).catch(() => listen(app, { host: config.host, port: 0 }));
}

/** Every demo begins anew: with the user, all that an earlier one left goes. */
async function createDemoUser(app: NestExpressApplication): Promise<string> {
  return RequestContext.create(app.get(EntityManager), async () => {
    await app.get(EntityManager).nativeDelete(User, { email: EMAIL });
    const user = await app.get(Users).create({ email: EMAIL, password: PASSWORD, timeZone: 'UTC' });
    if (!user) throw new Error('the demo user could not be created');
    const { key } = await app.get(ApiKeys).create(user.id, { name: 'Demo', scopes: [...SCOPES], expiresAt: null });
    return key;
  });
}
