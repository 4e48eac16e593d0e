import { Migration } from '@mikro-orm/migrations';

/** The backups that the service made by itself: of several instances one makes each, and all know how the last one went. */
export class Migration20261124010000Backups extends Migration {
  override up(): void {
    this.addSql(`
      create table backups (
        id uuid primary key default gen_random_uuid(),
        started_at timestamptz not null default now(),
        finished_at timestamptz,
        bytes bigint,
        problem text
      )`);
    this.addSql(`create index backups_started_idx on backups (started_at desc)`);
  }

  override down(): void {
    this.addSql(`drop table backups`);
  }
}
