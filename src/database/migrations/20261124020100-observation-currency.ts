import { Migration } from '@mikro-orm/migrations';

/**
 * Gives every report its currency, and every account a balance span per currency: an account that is re-denominated ends
 * one history and begins another. Nothing relabels a balance any more, so the trigger that followed it goes.
 */
export class Migration20261124020100ObservationCurrency extends Migration {
  override up(): void {
    this.addSql(`alter table observations add column currency text`);
    // Balances are reported in ISO currencies only. XXX is ISO's code for none; no known account has such reports.
    this.addSql(`
      update observations o set currency = coalesce(a.currency, 'XXX')
      from accounts a where a.user_id = o.user_id and a.id = o.account_id`);
    this.addSql(`alter table observations alter column currency set not null`);

    this.addSql(`drop function relabel_balance_spans() cascade`);
    this.addSql(`alter table balance_spans drop constraint balance_spans_pkey`);
    this.addSql(`alter table balance_spans add primary key (user_id, account_id, currency)`);
    this.addSql(`
      create or replace function widen_balance_spans() returns trigger language plpgsql as $$
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
      create or replace function narrow_balance_spans() returns trigger language plpgsql as $$
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
  }

  override down(): void {
    this.addSql(`
      create or replace function widen_balance_spans() returns trigger language plpgsql as $$
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
    this.addSql(`
      create or replace function narrow_balance_spans() returns trigger language plpgsql as $$
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
    this.addSql(`
      create function relabel_balance_spans() returns trigger language plpgsql as $$
      begin
        update balance_spans s set currency = c.currency
        from (select distinct user_id, account_id, currency from changed) c
        where s.user_id = c.user_id and s.account_id = c.account_id and s.currency <> c.currency;
        return null;
      end $$`);
    this.addSql(`
      create trigger balances_update_relabel_balance_spans after update on balances
      referencing new table as changed for each statement execute function relabel_balance_spans()`);
    this.addSql(`delete from balance_spans`);
    this.addSql(`alter table balance_spans drop constraint balance_spans_pkey`);
    this.addSql(`alter table balance_spans add primary key (user_id, account_id)`);
    this.addSql(`
      insert into balance_spans (user_id, account_id, currency, first_date, last_date, record_count)
      select user_id, account_id, max(currency), min(date), max(date), count(*) from balances
      group by user_id, account_id`);
    this.addSql(`alter table observations drop column currency`);
  }
}
