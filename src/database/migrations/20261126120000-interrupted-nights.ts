import { Migration } from '@mikro-orm/migrations';

/** The last person of a night that a stop has interrupted: `null` where none was. */
export class Migration20261126120000InterruptedNights extends Migration {
  override up(): void {
    this.addSql(`alter table nightly_tasks add column interrupted_after uuid`);
  }

  override down(): void {
    this.addSql(`alter table nightly_tasks drop column interrupted_after`);
  }
}
