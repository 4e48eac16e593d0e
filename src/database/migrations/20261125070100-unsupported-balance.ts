import { Migration } from '@mikro-orm/migrations';

/** The balance of an account whose currency has no minor unit, kept as its provider reports it. */
export class Migration20261125070100UnsupportedBalance extends Migration {
  override up(): void {
    this.addSql(`alter table accounts add column unsupported_balance text`);
  }

  override down(): void {
    this.addSql(`alter table accounts drop column unsupported_balance`);
  }
}
