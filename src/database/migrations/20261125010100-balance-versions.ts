import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps what balances said before they were changed. One row is what one transaction replaced of one account: the days
 * that changed with their values of before, in arrays, and the days that had no record. Current rows carry nothing of it,
 * so that storage grows with what changes.
 */
export class Migration20261125010100BalanceVersions extends Migration {
  override up(): void {
    // What a revision replaced is found by its batch: its number is not known before the end of the transaction.
    this.addSql(`alter table revisions add column batch_id uuid`);
    this.addSql(`create unique index revisions_batch_key on revisions (user_id, batch_id) where batch_id is not null`);
    // Of people who had balances before this, what was believed earlier was not kept.
    this.addSql(`alter table user_revisions add column balances_kept_since timestamptz`);
    this.addSql(`update user_revisions set balances_kept_since = now()`);
    this.addSql(`
      create table balance_versions (
        user_id uuid not null,
        account_id uuid not null,
        batch_id uuid not null,
        part integer not null,
        reasons text[] not null,
        first_date date not null,
        last_date date not null,
        absent datemultirange not null,
        currency text,
        flows_factor smallint,
        has_cash boolean,
        dates date[] not null,
        ids uuid[] not null,
        start_cash bigint[] not null,
        start_non_cash bigint[] not null,
        cash_inflows bigint[] not null,
        cash_outflows bigint[] not null,
        non_cash_inflows bigint[] not null,
        non_cash_outflows bigint[] not null,
        net_market_flows bigint[] not null,
        cash_adjustments bigint[] not null,
        non_cash_adjustments bigint[] not null,
        end_cash bigint[] not null,
        end_non_cash bigint[] not null,
        created_at timestamptz[] not null,
        updated_at timestamptz[] not null,
        primary key (user_id, account_id, batch_id, part),
        foreign key (user_id, account_id) references accounts on delete cascade
      )`);
  }

  override down(): void {
    this.addSql(`drop table balance_versions`);
    this.addSql(`alter table user_revisions drop column balances_kept_since`);
    this.addSql(`alter table revisions drop column batch_id`);
  }
}
