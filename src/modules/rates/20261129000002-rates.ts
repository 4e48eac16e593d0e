import { Migration } from '@mikro-orm/migrations';

export class Migration20261129000002Rates extends Migration {
  override up(): void {
    this.addSql(`
      -- Reference rates, the same for all people: what was published on a day is one row.
      create table exchange_rates (
        date date not null primary key,
        -- Units of each currency for one euro, as texts so that they stay exact: {"USD": "1.0714"}.
        rates jsonb not null
      );
    `);
  }
}
