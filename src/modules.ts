import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { auth } from './auth/auth.descriptor.js';
import { declareAuditEvents } from './auth/audit/audit-event.js';
import { declareScopes } from './auth/scopes.js';
import { balances } from './balances/balances.descriptor.js';
import { backup } from './modules/backup/backup.descriptor.js';
import { changeLog } from './database/change-log/change-log.descriptor.js';
import { declareKinds } from './database/change-log/change.js';
import { idempotency } from './http/idempotency/idempotency.descriptor.js';
import { rates } from './modules/rates/rates.descriptor.js';
import { scale } from './modules/scale/scale.descriptor.js';
import { imports } from './modules/imports/imports.descriptor.js';
import { mcp } from './modules/mcp/mcp.descriptor.js';
import { EXIT_CONFIG, StartupError } from './platform/config/startup-error.js';
import { isOfThisKit, type Part, type TidemarkModule } from './platform/module.js';
import { PROVIDERS } from './providers/installed.js';
import { type Configuration, isProviderOfThisKit } from './providers/provider-descriptor.js';
import { retention } from './operate/retention/retention.descriptor.js';
import { declareSealedTables } from './sync/connections/credentials/reseal-credentials.js';
import { sync } from './sync/sync.descriptor.js';
import { webhooks } from './modules/webhooks/webhooks.descriptor.js';

/** The rooms of Tidemark: each builds on those before it. */
export const ROOMS: readonly Part[] = [changeLog, auth, idempotency, balances, sync, retention];

/** The installed modules beside them. A new one is a folder and one name here, or a package in {@link CONFIGURATION}. */
export const MODULES: TidemarkModule[] = [webhooks, imports, rates, mcp, backup, scale];

/** Adds to the lists that many parts have in common. Those that are known are known already. */
export function declareParts(parts: readonly Part[]): void {
  declareScopes(parts);
  declareKinds(parts);
  declareAuditEvents(parts);
  declareSealedTables(parts);
}

declareParts([...ROOMS, ...MODULES]);

/** In the folder in which Tidemark is started: its default export lists modules from packages. */
const CONFIGURATION = ['tidemark.config.mjs', 'tidemark.config.js', 'tidemark.config.ts'];

/**
 * Adds the modules and providers of the configuration. Each entry point calls it before anything else.
 *
 * @throws StartupError
 */
export async function installModules(folder = process.cwd()): Promise<void> {
  const path = CONFIGURATION.map((name) => join(folder, name)).find(existsSync);
  if (!path) return;
  const { default: configuration } = (await import(pathToFileURL(path).href)) as {
    default?: Configuration;
  };
  const { modules = [], providers = [] } = configuration ?? {};
  const isList = (value: unknown): boolean => Array.isArray(value);
  if (!configuration || !isList(modules) || !isList(providers)) {
    const message = `${path} must have a default export with modules: [ … ], or with providers: [ … ].`;
    throw new StartupError(message, EXIT_CONFIG);
  }
  const foreign =
    modules.find((module) => !isOfThisKit(module)) ?? providers.find((provider) => !isProviderOfThisKit(provider));
  if (foreign) {
    const message = `${foreign.name} is not made by defineModule or defineProvider of this Tidemark: its package may have a second copy of it. Install it once.`;
    throw new StartupError(message, EXIT_CONFIG);
  }
  declareParts(modules);
  MODULES.push(...modules);
  PROVIDERS.push(...providers);
}
