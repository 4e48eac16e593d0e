import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a report stand for equal ones that came after it: only their moments, days and dates are kept. `reports` is the view
 * that has each of them as a row again, with `holdings_at` as the report whose holdings are theirs.
 */
export class Migration20261125040100RepeatedReports extends Migration {
  override up(): void {
    this.addSql(`
      alter table observations
        add column repeated_at timestamptz[],
        add column repeated_days date[],
        add column repeated_balance_dates date[],
        add constraint observations_repeated check (
          cardinality(repeated_days) is not distinct from cardinality(repeated_at)
          and cardinality(repeated_balance_dates) is not distinct from cardinality(repeated_at)
        )`);
    this.addSql(`
      create view reports as
      select o.user_id, o.account_id, moment.observed_at, moment.day, moment.balance_date, o.currency, o.balance_minor,
        o.available_minor, o.pending_minor, o.has_holdings, o.holdings_total_minor, o.holdings_total_currency,
        o.observed_at as holdings_at
      from observations o cross join lateral (
        select o.observed_at, o.day, o.balance_date
        union all
        select * from unnest(o.repeated_at, o.repeated_days, o.repeated_balance_dates)
      ) moment (observed_at, day, balance_date)`);
  }

  override down(): void {
    // The holdings of a report are copied for each that it stands for.
    this.addSql(`
      create temporary table repeated on commit drop as
      select r.*, o.digest from reports r
      join observations o on o.user_id = r.user_id and o.account_id = r.account_id and o.observed_at = r.holdings_at
      where r.observed_at <> r.holdings_at`);
    this.addSql(`
      insert into observations (user_id, account_id, observed_at, day, balance_date, currency, balance_minor, available_minor,
        pending_minor, has_holdings, holdings_total_minor, holdings_total_currency, digest)
      select user_id, account_id, observed_at, day, balance_date, currency, balance_minor, available_minor, pending_minor,
        has_holdings, holdings_total_minor, holdings_total_currency, digest
      from repeated on conflict do nothing`);
    this.addSql(`
      insert into holdings (user_id, account_id, observed_at, external_id, symbol, name, quantity, price, value_minor,
        currency, cost_basis_minor, cash_equivalent)
      select h.user_id, h.account_id, r.observed_at, h.external_id, h.symbol, h.name, h.quantity, h.price, h.value_minor,
        h.currency, h.cost_basis_minor, h.cash_equivalent
      from repeated r
      join holdings h on h.user_id = r.user_id and h.account_id = r.account_id and h.observed_at = r.holdings_at
      on conflict do nothing`);
    this.addSql(`drop view reports`);
    this.addSql(`
      alter table observations
        drop column repeated_at, drop column repeated_days, drop column repeated_balance_dates`);
  }
}
