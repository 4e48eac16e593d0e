/**
 * What operators' modules, such as backup and Citus, may import beside src/kit.ts: sessions of their own, the schema, the
 * secrets, and what a command needs. Unlike the kit it opens what lies below, and changes with it.
 */

// Commands.

/** The environment of a command. @example const config = await readCliConfigInUse(modules) */
export { readCliConfig, readCliConfigInUse, withDatabase } from '../operate/cli/with-database.js';
/** A passphrase, from the terminal or the first line of stdin. @example await readSecret('Passphrase', stopping) */
export { readNewSecret, readSecret } from '../operate/cli/read-secret.js';

// The doctor and the metrics.

/** What it says. @example checks: async (): Promise<Check[]> => [good('folder', 'It can be written.')] */
export type { Check } from '../platform/module.js';
/** @example judge('disk', isFree, 'There is 1 GB left.', 'Make room.') */
export { bad, good, judge } from '../operate/doctor/check.js';
/** @example checks: (config) => checkFolder('backup directory', folderOf(config), 'BACKUP_DIR') */
export { checkFolder } from '../operate/doctor/check-folders.js';
/** @example metrics.addGauge({ …, read: () => gauges.read(sql<GaugeRow>`select 1 as value`) }) */
export { DatabaseGaugesService, type GaugeRow } from '../operate/exposition/database-gauges.service.js';
/** Has the gauges. @example @Module({ imports: [ObservabilityModule] }) */
export { ObservabilityModule } from '../operate/observability.module.js';

// Folders and times.

/** For this user only. @example await makeWritableFolder(path).catch(…) */
export { makeFolder, makeWritableFolder } from '../platform/config/make-folder.js';
/** Ends the start with one sentence. @example throw cannotUse(folder, error, 'BACKUP_DIR') */
export { cannotUse } from '../platform/config/startup-error.js';
/** @example lastTick('11 3 * * *', before) */
export { lastTick } from '../platform/time/cron-ticks.js';
/** How far the clock of an instance that works may be from the database's. @example Math.abs(skewMs) > MAX_CLOCK_DIFFERENCE_MS */
export { MAX_CLOCK_DIFFERENCE_MS } from '../database/clock-check.service.js';

// Sessions.

/** Where the database is; injectable. @example @Inject(DATABASE_ADDRESS) address: DatabaseAddress */
export { DATABASE_ADDRESS, type DatabaseAddress, type Source } from '../database/address.js';
/** With limits of its own; for COPY without one. @example withPlainSession(address, settings, (session) => …) */
export { withCopySession, withPlainSession } from '../database/plain-session.js';
/** @example if (sqlStateOf(error) === '42501') … */
export { sqlStateOf } from '../database/as-startup-error.js';
/** @example await waitUntil(isAlone, 3_000, 100) */
export { waitUntil } from '../database/wait-until.js';

// The schema.

/** @example underMigrationLock(address, settings, (migrator) => migrator.up(), { modules }) */
export { underMigrationLock } from '../database/migrate.js';
/** Which migrations a database has, and whether one of them is unknown here. @example await readMigrations(session) */
export { type ExecutedMigration, findForeign, readMigrations } from '../database/schema-state.js';
/** After rows were restored: no entity tag and no cursor from before fits. @example await advanceRevisions(session) */
export { advanceRevisions } from '../database/change-log/advance-revisions.js';

// Secrets.

/** @example const secrets = await loadAppSecrets(config) */
export { type AppSecrets, loadAppSecrets, secretsOf } from '../platform/config/app-secret.js';
/** @example new CredentialVault(secrets).sign(text) */
export { CredentialVault } from '../platform/vault/credential-vault.js';
/** What `--forget-lost` does, in a sentence. @example process.stderr.write(`${FORGET_LOST}\n`) */
export { FORGET_LOST } from '../platform/vault/forget-lost.js';
/** @throws StartupError when not all credentials can be opened. @example await requireFit(session, vault) */
export { requireFit } from '../operate/bootstrap/startup.js';
/** @example await resealCredentials(session, from, to) */
export { resealCredentials } from '../sync/connections/credentials/reseal-credentials.js';
/** @example await forgetLostCredentials(session, vault) */
export { forgetLostCredentials } from '../sync/connections/credentials/forget-lost-credentials.js';
