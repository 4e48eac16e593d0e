import { Migration } from '@mikro-orm/migrations';

/** Since when a provider lists an account without bringing anything new of it. */
export class Migration20261129010000StaleFeeds extends Migration {
  override up(): void {
    this.addSql(`alter table accounts add column stale_since date`);
  }

  override down(): void {
    this.addSql(`alter table accounts drop column stale_since`);
  }
}
