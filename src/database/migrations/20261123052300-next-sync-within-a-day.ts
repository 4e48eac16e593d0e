import { Migration } from '@mikro-orm/migrations';

/** A provider could ask for a wait of decades, and got it. No wait is longer than a day from now on. */
export class Migration20261123052300NextSyncWithinADay extends Migration {
  override up(): void {
    this.addSql(`update connections set next_sync_at = null where next_sync_at > now() + interval '24 hours'`);
  }

  override down(): void {
    // What was asked for is not known any more, and nobody wants it back.
  }
}
