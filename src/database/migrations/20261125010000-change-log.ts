import { Migration } from '@mikro-orm/migrations';

const NOBODY = '00000000-0000-0000-0000-000000000000';
const EVENTS = ['insert', 'update', 'delete'] as const;

/**
 * One log of changes for each person in the place of the triggers, counters and the sequence that said only that something
 * had changed. Transactions write it themselves, since transition tables do not exist on a distributed PostgreSQL, and
 * take their number last, so that nobody waits for another's transaction.
 *
 * A process of an older version beside it reads as before, by the table `user_revisions` and the view `sync_revisions`. Its
 * syncs fail at their first write, with all they wrote, since `sync_event_ids` is gone: a process of this version takes
 * them up. What else it writes, the few edits a person makes through it, is stored and is not in the log.
 */
export class Migration20261125010000ChangeLog extends Migration {
  override up(): void {
    for (const name of ['move_user_revision', 'move_sync_revision', 'widen_balance_spans', 'narrow_balance_spans']) {
      this.addSql(`drop function ${name}() cascade`);
    }
    this.addSql(`drop view user_revisions`);
    // Every change updates it: there shall be room for that on its page.
    this.addSql(`
      create table user_revisions (
        user_id uuid primary key references users on delete cascade,
        revision bigint not null,
        records_revision bigint not null,
        floor bigint not null default 0,
        moved_at timestamptz not null
      ) with (fillfactor = 50)`);
    // Tags that clients have stay true, as numbers go on. What was before them is not in the log.
    this.addSql(`
      insert into user_revisions (user_id, revision, records_revision, floor, moved_at)
      select id, total, total, total, now()
      from users, lateral (
        select coalesce(sum(revision), 0) + 1 as total from account_revisions where user_id = users.id
      ) counted`);
    this.addSql(`drop table account_revisions`);
    this.addSql(`
      create table revisions (
        user_id uuid not null references user_revisions on delete cascade,
        revision bigint not null,
        committed_at timestamptz not null,
        kinds text[] not null,
        primary key (user_id, revision)
      )`);
    this.addSql(`
      create table changes (
        user_id uuid not null references user_revisions on delete cascade,
        revision bigint not null,
        part integer not null,
        kind text not null,
        account_id uuid,
        from_date date,
        to_date date,
        ids uuid[],
        primary key (user_id, revision, part)
      )`);
    this.addSql(`
      create table feed_epoch (
        is_only boolean primary key default true check (is_only),
        epoch uuid not null default gen_random_uuid()
      )`);
    this.addSql(`insert into feed_epoch default values`);

    this.addSql(`drop table sync_revisions`);
    this.addSql(`drop sequence sync_revision`);
    this.addSql(`
      create view sync_revisions as
      select user_id, 'all'::text as about, user_id as connection_id, revision from user_revisions`);
    this.addSql(`drop table sync_event_ids`);
    this.addSql(`drop index sync_runs_events_idx`);
    // What is left of it: which of two runs of one millisecond is the newer. Those of before have small numbers.
    this.addSql(`
      alter table sync_runs alter column event_id
        set default (extract(epoch from clock_timestamp()) * 1000000)::bigint`);
  }

  override down(): void {
    this.addSql(`alter table sync_runs alter column event_id set default 0`);
    this.addSql(`create index sync_runs_events_idx on sync_runs (user_id, event_id)`);
    this.addSql(`
      create table sync_event_ids (
        user_id uuid primary key references users on delete cascade,
        last_id bigint not null
      )`);
    this.addSql(`
      insert into sync_event_ids (user_id, last_id) select user_id, max(event_id) from sync_runs group by user_id`);
    this.addSql(`drop view sync_revisions`);
    this.addSql(`drop table feed_epoch`);
    this.addSql(`drop table changes`);
    this.addSql(`drop table revisions`);
    this.#countSyncs();
    this.#countAccounts();
    this.#keepSpans();
  }

  #countSyncs(): void {
    this.addSql(`create sequence sync_revision`);
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
            select distinct user_id, coalesce(%s, ''${NOBODY}''::uuid) as connection_id
            from changed where user_id in (select id from users) order by 1, 2
          ) moved
          on conflict (user_id, about, connection_id) do update set revision = excluded.revision', tg_argv[0])
        using tg_table_name::text;
        return null;
      end $$`);
    const tables = { connections: 'id', sync_runs: 'connection_id', provider_requests: 'connection_id' };
    for (const [table, column] of Object.entries({ ...tables, accounts_kept_apart: 'null::uuid' })) {
      for (const event of EVENTS) this.#after(table, event, 'move_sync_revision', `'${column}'`);
    }
  }

  #countAccounts(): void {
    this.addSql(`
      create table account_revisions (
        user_id uuid not null references users on delete cascade,
        account_id uuid not null,
        revision bigint not null,
        primary key (user_id, account_id)
      )`);
    this.addSql(`
      insert into account_revisions (user_id, account_id, revision)
      select user_id, '${NOBODY}', revision from user_revisions`);
    this.addSql(`drop table user_revisions`);
    this.addSql(`
      create view user_revisions as
      select user_id, sum(revision)::bigint as revision from account_revisions group by user_id`);
    this.addSql(`
      create function move_user_revision() returns trigger language plpgsql as $$
      begin
        if tg_table_name = 'accounts' then
          insert into account_revisions as stored (user_id, account_id, revision)
          select c.user_id, c.id, 1 from changed c join users u on u.id = c.user_id order by 1, 2
          on conflict (user_id, account_id) do update set revision = stored.revision + 1;
        else
          insert into account_revisions as stored (user_id, account_id, revision)
          select distinct c.user_id, c.account_id, 1 from changed c join users u on u.id = c.user_id order by 1, 2
          on conflict (user_id, account_id) do update set revision = stored.revision + 1;
        end if;
        return null;
      end $$`);
    for (const table of ['accounts', 'transactions', 'observations', 'balances']) {
      for (const event of EVENTS) this.#after(table, event, 'move_user_revision');
    }
  }

  #keepSpans(): void {
    this.addSql(`
      create function widen_balance_spans() returns trigger language plpgsql as $$
      begin
        insert into balance_spans as stored (user_id, account_id, currency, first_date, last_date, record_count)
        select user_id, account_id, currency, min(date), max(date), count(*) from changed
        group by user_id, account_id, currency
        on conflict (user_id, account_id, currency) do update set
          first_date = least(stored.first_date, excluded.first_date),
          last_date = greatest(stored.last_date, excluded.last_date),
          record_count = stored.record_count + excluded.record_count;
        return null;
      end $$`);
    this.addSql(`
      create function narrow_balance_spans() returns trigger language plpgsql as $$
      declare
        lost record;
      begin
        for lost in
          select user_id, account_id, currency, count(*) as records from changed group by user_id, account_id, currency
        loop
          delete from balance_spans s
          where s.user_id = lost.user_id and s.account_id = lost.account_id and s.currency = lost.currency
            and s.record_count <= lost.records;
          update balance_spans s set
            record_count = s.record_count - lost.records,
            first_date = (select min(date) from balances b
              where b.user_id = lost.user_id and b.account_id = lost.account_id and b.currency = lost.currency),
            last_date = (select max(date) from balances b
              where b.user_id = lost.user_id and b.account_id = lost.account_id and b.currency = lost.currency)
          where s.user_id = lost.user_id and s.account_id = lost.account_id and s.currency = lost.currency;
        end loop;
        return null;
      end $$`);
    this.#after('balances', 'insert', 'widen_balance_spans');
    this.#after('balances', 'delete', 'narrow_balance_spans');
  }

  #after(table: string, event: (typeof EVENTS)[number], run: string, argument = ''): void {
    this.addSql(`
      create trigger ${table}_${event}_${run} after ${event} on ${table}
      referencing ${event === 'delete' ? 'old' : 'new'} table as changed
      for each statement execute function ${run}(${argument})`);
  }
}
