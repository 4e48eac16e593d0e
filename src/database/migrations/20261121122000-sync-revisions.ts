import { Migration } from '@mikro-orm/migrations';

/**
 * What lets the lists of connections and syncs say that nothing changed without being read: a number for each table that
 * decides them and each connection, never used twice. Triggers keep it, so that whoever writes changes it in the same
 * transaction. There is a row for each table and connection, and not one for each person: nobody shall wait for the
 * transaction of another connection's sync.
 */
export class Migration20261121122000SyncRevisions extends Migration {
  override up(): void {
    this.addSql(`create sequence sync_revision`);
    // The rows of removed connections stay: that they are gone is news, too.
    this.addSql(`
      create table sync_revisions (
        user_id uuid not null references users on delete cascade,
        about text not null,
        connection_id uuid not null,
        revision bigint not null,
        primary key (user_id, about, connection_id)
      )`);

    this.addSql(`
      create function move_sync_revision() returns trigger language plpgsql as $$
      begin
        execute format('
          insert into sync_revisions (user_id, about, connection_id, revision)
          select user_id, $1, connection_id, nextval(''sync_revision'')
          from (
            select distinct user_id, coalesce(%s, ''00000000-0000-0000-0000-000000000000''::uuid) as connection_id
            from changed where user_id in (select id from users) order by 1, 2
          ) moved
          on conflict (user_id, about, connection_id) do update set revision = excluded.revision', tg_argv[0])
        using tg_table_name::text;
        return null;
      end $$`);

    const tables = { connections: 'id', sync_runs: 'connection_id', provider_requests: 'connection_id' };
    for (const [table, column] of Object.entries({ ...tables, accounts_kept_apart: 'null::uuid' })) {
      for (const event of ['insert', 'update', 'delete'] as const) {
        this.addSql(`
          create trigger ${table}_${event}_move_sync_revision after ${event} on ${table}
          referencing ${event === 'delete' ? 'old' : 'new'} table as changed
          for each statement execute function move_sync_revision('${column}')`);
      }
    }
  }

  override down(): void {
    this.addSql(`drop function move_sync_revision() cascade`);
    this.addSql(`drop table sync_revisions`);
    this.addSql(`drop sequence sync_revision`);
  }
}
