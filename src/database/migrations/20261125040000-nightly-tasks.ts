import { Migration } from '@mikro-orm/migrations';

/** The last run of each nightly task: of several instances one does it, and all know how it went. */
export class Migration20261125040000NightlyTasks extends Migration {
  override up(): void {
    this.addSql(`
      create table nightly_tasks (
        name text primary key,
        started_at timestamptz not null,
        finished_at timestamptz,
        problem text
      )`);
  }

  override down(): void {
    this.addSql(`drop table nightly_tasks`);
  }
}
