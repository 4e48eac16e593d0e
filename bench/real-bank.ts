import { parseArgs } from 'node:util';
import { EntityManager, RequestContext } from '@mikro-orm/core';
import { loadAppSecrets } from '../src/platform/config/app-secret.js';
import { createApp } from '../src/app.setup.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { SCOPES } from '../src/auth/scopes.js';
import { UsersService } from '../src/auth/users.service.js';
import { followSync } from '../src/operate/cli/follow-sync.js';
import { readConfig } from '../src/platform/config/config.js';
import { migrate } from '../src/database/migrate.js';
import { DemoClient } from '../src/operate/demo/demo-client.js';
import { listen } from '../src/operate/bootstrap/listen.js';
import { freshSetupToken } from '../sandbox/us-provider/setup-token.js';
import { MODULES } from '../src/modules.js';
import { MAX_ACCOUNTS } from '../src/providers/answer-limits.js';
import { PROVIDERS } from '../src/providers/installed.js';
import { dateOfUnixSeconds } from '../src/platform/time/calendar-date.js';
import { readBankFile } from '../test/support/real-bank/bank-file.js';
import { bankHousehold } from '../test/support/real-bank/bank-household.js';
import { compareWithBank } from '../test/support/real-bank/compare.js';
import { fetchServedBalances } from '../test/support/real-bank/fetch-served.js';
import { serveBank } from '../test/support/real-bank/serve-bank.js';
import { startThrowawayPostgres } from '../test/support/throwaway-postgres.js';
import { playWeekly } from './real-bank-weekly.js';

// Does what any user would: connects a bank (this one serves real books), syncs, reads every balance over the API, and
// then compares each with the balance the bank itself printed.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // `weekly`: without the service, the books week by week; of so many accounts at most.
  options: { weekly: { type: 'boolean', default: false }, accounts: { type: 'string', default: 'Infinity' } },
});
const [file] = positionals;
if (!file) {
  console.error(
    'Usage: npm run real-bank -- [--weekly] [--accounts N] FILE.csv.gz   (columns: account,date,amount_cents,balance_cents,kind)',
  );
  process.exit(2);
}
if (values.weekly) {
  playWeekly(file, Number(values.accounts));
  process.exit();
}

const begun = performance.now();
const today = dateOfUnixSeconds(Math.floor(Date.now() / 1000));
// One answer of a provider has no more.
const most = Math.min(Number(values.accounts), MAX_ACCOUNTS);
const accounts = new Map([...readBankFile(file, today)].slice(0, most));
const bank = await serveBank(bankHousehold(accounts, 'CZK', today));
const postgres = await startThrowawayPostgres('real-bank');
const config = readConfig(PROVIDERS, MODULES, {
  ...{
    PORT: '0',
    DATA_DIR: postgres.folder,
    DATABASE_URL: '',
    LOG_LEVEL: 'error',
    SYNC_CRON: 'off',
    RATE_LIMIT_PER_MINUTE: '0',
  },
  ...{ PROVIDER_ALLOW_PRIVATE_NETWORK: '1', USPROVIDER_ALLOWED_HOSTS: '*' },
});
await migrate(postgres.address, config.database, { modules: MODULES });
const app = await createApp({ config, secrets: await loadAppSecrets(config), database: postgres.address });
const url = await listen(app, config);
try {
  const key = await RequestContext.create(app.get(EntityManager), async () => {
    const user = await app
      .get(UsersService)
      .create({ email: 'real@bank.example', password: 'real bank', timeZone: 'UTC' });
    return (await app.get(ApiKeysService).create(user!.id, { name: 'runner', scopes: [...SCOPES], expiresAt: null }))
      .key;
  });
  const client = new DemoClient(url, key);
  const { latest_sync_id } = await client.connect({
    ...{ provider: 'us_provider', setup_token: freshSetupToken(bank.url, 'healthy'), name: 'Real bank' },
  });
  const sync = await followSync(client.syncUpdates(latest_sync_id));
  const synced = performance.now();
  if (sync?.status !== 'succeeded')
    throw new Error(`the sync ended ${sync?.status}: ${JSON.stringify(sync?.problems)}`);
  const result = compareWithBank(accounts, await fetchServedBalances(url, key), today);
  console.log(`accounts               ${result.accounts}`);
  console.log(`account-days           ${result.accountDays}`);
  console.log(`exact                  ${result.exact}`);
  console.log(
    `within the rounding    ${result.withinRounding} (at most ${(result.largestRoundingMinor / 100).toFixed(2)})`,
  );
  console.log(`off                    ${result.off}`);
  console.log(
    `seconds                ${seconds(begun, synced)} to sync, ${seconds(begun)} with reading back and comparing`,
  );
  console.log(
    `peak memory            ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB (service, bank and runner in one process)`,
  );
  process.exitCode = result.off === 0 ? 0 : 1;
} finally {
  await app.close();
  await postgres.stop();
  bank.stop();
}

function seconds(from: number, to = performance.now()): string {
  return ((to - from) / 1000).toFixed(1);
}
