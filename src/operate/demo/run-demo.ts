import { EntityManager } from '@mikro-orm/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../app.setup.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { SCOPES } from '../../auth/scopes.js';
import { User } from '../../auth/user.entity.js';
import { UsersService } from '../../auth/users.service.js';
import { followSync } from '../cli/follow-sync.js';
import { listen } from '../bootstrap/listen.js';
import type { ConnectionResponse } from '../../sync/overview/connection.response.js';
import { addDays, DAY_MS, dateInTimeZone } from '../../platform/time/calendar-date.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import type { Get } from '../../platform/module.js';
import { MODULES } from '../../modules.js';
import { freshApiKey } from '../../../sandbox/global-provider/api-key.js';
import { RECEIVER_PATH } from '../../../sandbox/sandbox-credentials.js';
import { freshSetupToken } from '../../../sandbox/us-provider/setup-token.js';
import { startDependencies } from '../bootstrap/startup.js';
import { stopAppWith } from '../bootstrap/stop-app.js';
import { type ConnectSecret, DemoClient } from './demo-client.js';
import { demoConfig } from './demo-config.js';

const EMAIL = 'demo@tidemark.example';
const PASSWORD = 'tidemark-demo';

/** Automates a newcomer's first steps: creates a user and a key, and connects the sandbox's banks over the API. */
export async function runDemo(lifecycle: Lifecycle): Promise<void> {
  const config = await demoConfig();
  say('Starting the embedded PostgreSQL …');
  const { database, secrets } = await startDependencies(config, lifecycle, { use: 'service', modules: MODULES });
  let userId: string | null = null;
  const app = await createApp({ config, database, secrets }, () => userId);
  stopAppWith(lifecycle, app, config);
  const url = await listen(app, config);
  say(`Tidemark listens on ${url}`);
  const { id, key } = await lifecycle.unlessStopping(createDemoUser(app));
  userId = id;
  const client = new DemoClient(url, key);
  const get: Get = (type) => app.get(type, { strict: false });
  await lifecycle.unlessStopping(fillWithExamples(client, url));
  for (const { demo } of MODULES) await demo?.(get, { userId: id, receiverUrl: url + RECEIVER_PATH });
  farewell({ url, key, dataDir: config.dataDir, balanceCount: await client.countBalances() });
}

async function fillWithExamples(client: DemoClient, url: string): Promise<void> {
  await leaveAccountBehind(client);
  await connectBanks(client, 'the US provider', {
    provider: 'us_provider',
    setup_token: freshSetupToken(url, 'healthy'),
  });
  await connectBanks(client, 'the global provider', { provider: 'global_provider', api_key: freshApiKey('healthy') });
  const today = dateInTimeZone(new Date(), 'UTC');
  await client.addHouse('House on Alder Street', {
    [addDays(today, -720)]: '465000',
    [addDays(today, -350)]: '488000',
    [addDays(today, -40)]: '501500',
  });
  await client.correctNewest('Bought the day before; the bank has the day of the posting.');
}

/** An account with two years of history, which the US provider lists again with the last weeks only. */
async function leaveAccountBehind(client: DemoClient): Promise<void> {
  const secret = { provider: 'global_provider', api_key: freshApiKey('account-elsewhere') } as const;
  say('Two accounts that are one, for you to merge. The first bank is connected and removed again:');
  const { id } = await connectBanks(client, 'the global provider', secret);
  await client.removeConnection(id);
}

async function connectBanks(client: DemoClient, provider: string, secret: ConnectSecret): Promise<ConnectionResponse> {
  const connection = await client.connect({ ...secret, name: `Sandbox of ${provider}` });
  say(`Connected ${provider} of the sandbox. Syncing:`);
  const sync = await followSync(client.syncUpdates(connection.latest_sync_id));
  if (!sync) throw new Error('the sync can no longer be followed');
  const { status, problems } = sync;
  if (status === 'failed') throw new Error(`The sync failed: ${problems.map(({ message }) => message).join(' ')}`);
  return connection;
}

/** Deletes the user of an earlier demo with everything it has. @returns its id and an API key */
async function createDemoUser(app: NestExpressApplication): Promise<{ id: string; key: string }> {
  const earlier = await app.get(EntityManager).nativeDelete(User, { email: EMAIL });
  const user = await app.get(UsersService).create({ email: EMAIL, password: PASSWORD, timeZone: 'UTC' });
  if (!user) throw new Error('the demo user could not be created');
  // As if of a person who comes back, so that the overview shows what came since the last visit.
  const lookedAt = new Date(new Date().getTime() - 3 * DAY_MS);
  await app.get(EntityManager).nativeUpdate(User, { id: user.id }, { lookedAt });
  const { key } = await app.get(ApiKeysService).create(user.id, { name: 'Demo', scopes: [...SCOPES], expiresAt: null });
  say(
    earlier > 0
      ? `Replaced the user ${EMAIL} of the last demo. The API key below is a new one; the last one no longer works.`
      : `Created the user ${EMAIL} and an API key.`,
  );
  return { id: user.id, key };
}

/** Prints a line. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Farewell {
  url: string;
  key: string;
  dataDir: string;
  balanceCount: number;
}

function farewell({ url, key, dataDir, balanceCount }: Farewell): void {
  say(`
${balanceCount} balance records, one per account per day. Look at them in your browser:

  ${url}   (sign in as ${EMAIL} with the password ${PASSWORD})

Your API key, shown once:

  ${key}

Try it:

  curl -s -H 'X-Api-Key: ${key}' '${url}/api/v1/balances?per_page=3'

Swagger UI:         ${url}/docs   (press Authorize and paste the key)
OpenAPI document:   ${url}/openapi.json

Press Ctrl-C to stop. The data stays in ${dataDir}.
The next \`npm run demo\` begins anew, with a new key. Delete that folder to remove everything.`);
}
