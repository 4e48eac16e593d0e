import { Migration } from '@mikro-orm/migrations';

/** Since when a bank lists an account's transactions in the opposite sign, as its balances show. */
export class Migration20261128190000ReversedTransactions extends Migration {
  override up(): void {
    this.addSql(`alter table accounts add column transactions_reversed_since timestamptz`);
  }

  override down(): void {
    this.addSql(`alter table accounts drop column transactions_reversed_since`);
  }
}
