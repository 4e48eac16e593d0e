import { Migration } from '@mikro-orm/migrations';

/** What a provider tells of holdings beside the positions: prices, their total, and that an account has none. */
export class Migration20261121082000HoldingsFacts extends Migration {
  override up(): void {
    this.addSql(`alter table accounts add column holdings_retry_on date`);
    this.addSql(`alter table holdings add column price numeric`);
    this.addSql(`alter table observations
      add column holdings_total_minor bigint,
      add column holdings_total_currency text,
      add constraint observations_holdings_total
        check ((holdings_total_minor is null) = (holdings_total_currency is null))`);
  }

  override down(): void {
    this.addSql(`alter table observations drop column holdings_total_minor, drop column holdings_total_currency`);
    this.addSql(`alter table holdings drop column price`);
    this.addSql(`alter table accounts drop column holdings_retry_on`);
  }
}
