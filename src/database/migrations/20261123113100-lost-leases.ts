import { Migration } from '@mikro-orm/migrations';

/** How many workers of a run stopped responding: a run that takes its workers down must come to an end soon. */
export class Migration20261123113100LostLeases extends Migration {
  override up(): void {
    this.addSql(`alter table sync_runs add column lost_leases integer not null default 0`);
  }

  override down(): void {
    this.addSql(`alter table sync_runs drop column lost_leases`);
  }
}
