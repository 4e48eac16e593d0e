import { Migration } from '@mikro-orm/migrations';

const TABLES = ['transactions', 'balances', 'observations', 'holdings'];

/**
 * Tells the planner that an account is of one user. Else it takes the two for independent, and where there are many users
 * it expects no row of an account that has thousands: it then reads and sorts all of them for a page of 25.
 */
export class Migration20261122084500AccountStatistics extends Migration {
  override up(): void {
    for (const table of TABLES) {
      this.addSql(`create statistics ${table}_of_accounts (dependencies) on user_id, account_id from ${table}`);
    }
  }

  override down(): void {
    for (const table of TABLES) this.addSql(`drop statistics ${table}_of_accounts`);
  }
}
