import { Migration } from '@mikro-orm/migrations';

/**
 * What lets a sync run survive its worker and be watched: who may write for it, what it did to each account, and the
 * number of its newest change.
 */
export class Migration20261121084100SyncLeases extends Migration {
  override up(): void {
    this.addSql(`
      alter table sync_runs
        add column job_id uuid,
        add column attempt integer not null default 0,
        add column accounts jsonb not null default '[]',
        add column event_id bigint not null default 0`);
    this.addSql(`create index sync_runs_events_idx on sync_runs (user_id, event_id)`);
    this.addSql(`create index sync_runs_connection_idx on sync_runs (user_id, connection_id, queued_at desc)`);
    this.addSql(`create index sync_runs_open_idx on sync_runs (id) where status in ('queued', 'running')`);
    this.addSql(`
      create table sync_event_ids (
        user_id uuid primary key references users on delete cascade,
        last_id bigint not null
      )`);
    this.addSql(`alter table accounts add column history_asked_at timestamptz`);
  }

  override down(): void {
    this.addSql(`alter table accounts drop column history_asked_at`);
    this.addSql(`drop table sync_event_ids`);
    this.addSql(`drop index sync_runs_open_idx`);
    this.addSql(`drop index sync_runs_connection_idx`);
    this.addSql(`alter table sync_runs
      drop column job_id, drop column attempt, drop column accounts, drop column event_id`);
  }
}
