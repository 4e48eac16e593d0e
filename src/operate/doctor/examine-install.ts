import { existsSync } from 'node:fs';
import { loadAppSecrets } from '../../platform/config/app-secret.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import type { Config } from '../../platform/config/config.js';
import { asStartupError } from '../../database/as-startup-error.js';
import { withPlainSession } from '../../database/plain-session.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import { nameDatabase, openDatabase } from '../bootstrap/startup.js';
import { StartupError } from '../../platform/config/startup-error.js';
import { type Clock, SystemClock } from '../../platform/time/clock.js';
import type { Check } from '../../platform/module.js';
import { bad, good } from './check.js';
import { checkDatabase } from './check-database.js';
import { hasDatabase, whereToLook } from '../cli/with-database.js';
import { checkFolder } from './check-folders.js';
import { checkPorts, checkProviders } from './check-network.js';

/** Checks everything that this install needs, and continues after a failed check. Changes no data. */
export async function examineInstall(config: Config<ProviderDescriptor>, lifecycle: Lifecycle): Promise<Check[]> {
  const clock = new SystemClock();
  const now = () => clock.now();
  // What is there and no database is named below.
  const isInstalled = await hasDatabase(config).catch(() => true);
  const hasFolder = config.databaseUrl === null && existsSync(config.dataDir);
  const folders = hasFolder ? await checkFolder('data directory', config.dataDir, 'DATA_DIR') : [];
  const [database, providers, ports] = await Promise.all([
    isInstalled ? checkDatabaseAndSecret(config, lifecycle, clock) : [noDatabase(config)],
    checkProviders(config, now),
    checkPorts(config),
  ]);
  return [checkEnvironment(config), ...folders, ...database, ...providers, ...ports];
}

/** Nothing is made in a folder that may be the wrong one. */
function noDatabase(config: Config): Check {
  return bad('database', `There is none in ${config.dataDir}.`, `S${whereToLook(config).slice(1)}`);
}

function checkEnvironment({ misspelt }: Config): Check {
  if (misspelt.length === 0) return good('environment', 'Every variable is known.');
  const pairs = misspelt.map(({ given, likely }) => `${given} (is it ${likely}?)`);
  return bad('environment', `Unknown: ${pairs.join(', ')}.`, 'Correct the names, or remove the variables.');
}

async function checkDatabaseAndSecret(
  config: Config<ProviderDescriptor>,
  lifecycle: Lifecycle,
  clock: Clock,
): Promise<Check[]> {
  try {
    const secrets = await loadAppSecrets(config);
    const address = await openDatabase(config, lifecycle, 'command');
    return await withPlainSession(address, config.database, (session) =>
      checkDatabase(session, config, secrets, clock),
    );
  } catch (error) {
    const reason = asStartupError(error, nameDatabase(config));
    if (!(reason instanceof StartupError)) throw error;
    return [bad('database', reason.message, 'Nothing else about the database can be checked before that.')];
  }
}
