import { Migration } from '@mikro-orm/migrations';

/**
 * What lets a list answer without reading history: the days on which each account has records, and a number per person
 * that moves with everything the person can read. Triggers keep both, so that whoever writes, in whichever statement,
 * changes them in the same transaction as the rows.
 */
export class Migration20261121060000BalanceSpans extends Migration {
  override up(): void {
    this.addSql(`
      create table user_revisions (
        user_id uuid primary key references users on delete cascade,
        revision bigint not null
      )`);

    // A dense account has as many records as days; anything else is answered by counting.
    this.addSql(`
      create table balance_spans (
        user_id uuid not null,
        account_id uuid not null,
        currency text not null,
        first_date date not null,
        last_date date not null,
        record_count integer not null check (record_count > 0),
        primary key (user_id, account_id),
        foreign key (user_id, account_id) references accounts on delete cascade,
        check (first_date <= last_date)
      )`);

    this.addSql(`
      create function move_user_revision() returns trigger language plpgsql as $$
      begin
        insert into user_revisions as stored (user_id, revision)
        select distinct c.user_id, 1 from changed c join users u on u.id = c.user_id order by 1
        on conflict (user_id) do update set revision = stored.revision + 1;
        return null;
      end $$`);

    this.addSql(`
      create function widen_balance_spans() returns trigger language plpgsql as $$
      begin
        insert into balance_spans as stored (user_id, account_id, currency, first_date, last_date, record_count)
        select user_id, account_id, max(currency), min(date), max(date), count(*) from changed
        group by user_id, account_id
        on conflict (user_id, account_id) do update set
          currency = excluded.currency,
          first_date = least(stored.first_date, excluded.first_date),
          last_date = greatest(stored.last_date, excluded.last_date),
          record_count = stored.record_count + excluded.record_count;
        return null;
      end $$`);

    // Days are never moved by an update, but the currency of a whole history can change.
    this.addSql(`
      create function relabel_balance_spans() returns trigger language plpgsql as $$
      begin
        update balance_spans s set currency = c.currency
        from (select distinct user_id, account_id, currency from changed) c
        where s.user_id = c.user_id and s.account_id = c.account_id and s.currency <> c.currency;
        return null;
      end $$`);

    this.addSql(`
      create function narrow_balance_spans() returns trigger language plpgsql as $$
      declare
        lost record;
      begin
        for lost in select user_id, account_id, count(*) as records from changed group by user_id, account_id loop
          delete from balance_spans s
          where s.user_id = lost.user_id and s.account_id = lost.account_id and s.record_count <= lost.records;
          update balance_spans s set
            record_count = s.record_count - lost.records,
            first_date = (select min(date) from balances b
              where b.user_id = lost.user_id and b.account_id = lost.account_id),
            last_date = (select max(date) from balances b
              where b.user_id = lost.user_id and b.account_id = lost.account_id)
          where s.user_id = lost.user_id and s.account_id = lost.account_id;
        end loop;
        return null;
      end $$`);

    const after = (table: string, event: 'insert' | 'update' | 'delete', run: string) => {
      const rows = event === 'delete' ? 'old table' : 'new table';
      this.addSql(`
        create trigger ${table}_${event}_${run} after ${event} on ${table}
        referencing ${rows} as changed for each statement execute function ${run}()`);
    };
    after('balances', 'insert', 'widen_balance_spans');
    after('balances', 'update', 'relabel_balance_spans');
    after('balances', 'delete', 'narrow_balance_spans');
    for (const table of ['accounts', 'transactions', 'observations', 'balances']) {
      for (const event of ['insert', 'update', 'delete'] as const) after(table, event, 'move_user_revision');
    }

    this.addSql(`insert into user_revisions (user_id, revision) select id, 1 from users`);
    this.addSql(`
      insert into balance_spans (user_id, account_id, currency, first_date, last_date, record_count)
      select user_id, account_id, max(currency), min(date), max(date), count(*) from balances
      group by user_id, account_id`);
  }

  override down(): void {
    for (const run of ['move_user_revision', 'widen_balance_spans', 'relabel_balance_spans', 'narrow_balance_spans']) {
      this.addSql(`drop function ${run}() cascade`);
    }
    this.addSql(`drop table balance_spans`);
    this.addSql(`drop table user_revisions`);
  }
}
