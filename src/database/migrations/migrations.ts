import { EXIT_CONFIG, StartupError } from '../../config/startup-error.js';
import type { Extension, MigrationClass } from '../../extension/extension.js';
import { Migration20261121000000Foundation } from './20261121000000-foundation.js';
import { Migration20261121060000BalanceSpans } from './20261121060000-balance-spans.js';
import { Migration20261121061000ApiKeyNews } from './20261121061000-api-key-news.js';
import { Migration20261121082000HoldingsFacts } from './20261121082000-holdings-facts.js';
import { Migration20261121084100SyncLeases } from './20261121084100-sync-leases.js';
import { Migration20261121084200CallerNews } from './20261121084200-caller-news.js';
import { Migration20261121086000Connections } from './20261121086000-connections.js';
import { Migration20261121086100MovableObservations } from './20261121086100-movable-observations.js';
import { Migration20261121088000RateLimits } from './20261121088000-rate-limits.js';
import { Migration20261121090100SignIn } from './20261121090100-sign-in.js';
import { Migration20261121122000SyncRevisions } from './20261121122000-sync-revisions.js';
import { Migration20261121125000PartlyKnown } from './20261121125000-partly-known.js';
import { Migration20261122084500AccountStatistics } from './20261122084500-account-statistics.js';
import { Migration20261123051700AccountRevisions } from './20261123051700-account-revisions.js';
import { Migration20261123052300NextSyncWithinADay } from './20261123052300-next-sync-within-a-day.js';
import { Migration20261123101000PasswordAttempts } from './20261123101000-password-attempts.js';
import { Migration20261123113000ClaimLocks } from './20261123113000-claim-locks.js';
import { Migration20261123113100LostLeases } from './20261123113100-lost-leases.js';
import { Migration20261124010000Backups } from './20261124010000-backups.js';
import { Migration20261124020000TransactionVersions } from './20261124020000-transaction-versions.js';
import { Migration20261124020100ObservationCurrency } from './20261124020100-observation-currency.js';
import { Migration20261125010000ChangeLog } from './20261125010000-change-log.js';
import { Migration20261125010100BalanceVersions } from './20261125010100-balance-versions.js';
import { Migration20261125020000IdempotencyKeys } from './20261125020000-idempotency-keys.js';
import { Migration20261125030000AuditEvents } from './20261125030000-audit-events.js';
import { Migration20261125031000SessionDevices } from './20261125031000-session-devices.js';
import { Migration20261125032000UsedForms } from './20261125032000-used-forms.js';
import { Migration20261125033000SecondFactors } from './20261125033000-second-factors.js';
import { Migration20261125040000NightlyTasks } from './20261125040000-nightly-tasks.js';
import { Migration20261125040100RepeatedReports } from './20261125040100-repeated-reports.js';
import { Migration20261125040200JobSchema } from './20261125040200-job-schema.js';
import { Migration20261125060000UncertainDays } from './20261125060000-uncertain-days.js';
import { Migration20261125070000AccountLife } from './20261125070000-account-life.js';
import { Migration20261125070100UnsupportedBalance } from './20261125070100-unsupported-balance.js';
import { Migration20261126010000Webhooks } from './20261126010000-webhooks.js';
import { Migration20261126020000MigrationExtensions } from './20261126020000-migration-extensions.js';
import { Migration20261126020001RotatedKeys } from './20261126020001-rotated-keys.js';
import { Migration20261126060001Preferences } from './20261126060001-preferences.js';
import { Migration20261126080000KeyAccounts } from './20261126080000-key-accounts.js';
import { Migration20261126100000SyncsOfADay } from './20261126100000-syncs-of-a-day.js';
import { Migration20261126120000InterruptedNights } from './20261126120000-interrupted-nights.js';
import { Migration20261126123000WholeLists } from './20261126123000-whole-lists.js';
import { Migration20261128120000DatesAs } from './20261128120000-dates-as.js';
import { Migration20261128190000ReversedTransactions } from './20261128190000-reversed-transactions.js';
import { Migration20261129010000StaleFeeds } from './20261129010000-stale-feeds.js';

/** Every migration, oldest first. A migration that has been released is never edited. */
export const MIGRATIONS = [
  Migration20261121000000Foundation,
  Migration20261121060000BalanceSpans,
  Migration20261121061000ApiKeyNews,
  Migration20261121082000HoldingsFacts,
  Migration20261121084100SyncLeases,
  Migration20261121084200CallerNews,
  Migration20261121086000Connections,
  Migration20261121086100MovableObservations,
  Migration20261121088000RateLimits,
  Migration20261121090100SignIn,
  Migration20261121122000SyncRevisions,
  Migration20261121125000PartlyKnown,
  Migration20261122084500AccountStatistics,
  Migration20261123051700AccountRevisions,
  Migration20261123052300NextSyncWithinADay,
  Migration20261123101000PasswordAttempts,
  Migration20261123113000ClaimLocks,
  Migration20261123113100LostLeases,
  Migration20261124010000Backups,
  Migration20261124020000TransactionVersions,
  Migration20261124020100ObservationCurrency,
  Migration20261125010000ChangeLog,
  Migration20261125010100BalanceVersions,
  Migration20261125020000IdempotencyKeys,
  Migration20261125030000AuditEvents,
  Migration20261125031000SessionDevices,
  Migration20261125032000UsedForms,
  Migration20261125033000SecondFactors,
  Migration20261125040000NightlyTasks,
  Migration20261125040100RepeatedReports,
  Migration20261125040200JobSchema,
  Migration20261125060000UncertainDays,
  Migration20261125070000AccountLife,
  Migration20261125070100UnsupportedBalance,
  Migration20261126010000Webhooks,
  Migration20261126020000MigrationExtensions,
  Migration20261126020001RotatedKeys,
  Migration20261126060001Preferences,
  Migration20261126080000KeyAccounts,
  Migration20261126100000SyncsOfADay,
  Migration20261126120000InterruptedNights,
  Migration20261126123000WholeLists,
  Migration20261128120000DatesAs,
  Migration20261128190000ReversedTransactions,
  Migration20261129010000StaleFeeds,
];

const NAME = /^Migration\d{14}/;

/**
 * Tidemark's migrations and those of the extensions, oldest first: the name of each begins with its time.
 *
 * @throws StartupError for a name of another form, and for one that occurs twice: the second one would never run
 */
export function migrationsWith(extensions: readonly Extension[]): readonly MigrationClass[] {
  const all: MigrationClass[] = [...MIGRATIONS];
  const names = new Set(all.map(({ name }) => name));
  for (const { tag, migrations } of extensions) {
    for (const migration of migrations) {
      const what = `${migration.name} of the module “${tag.name}”`;
      if (!NAME.test(migration.name)) {
        const form = 'Migration with 14 digits and words, as in Migration20261201000000Goals';
        throw new StartupError(`${what} must be named ${form}.`, EXIT_CONFIG);
      }
      if (names.has(migration.name)) {
        throw new StartupError(`${what} has the name of another migration. Rename it.`, EXIT_CONFIG);
      }
      names.add(migration.name);
      all.push(migration);
    }
  }
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}
