import { Migration } from '@mikro-orm/migrations';

/**
 * The accounts that a key is limited to; null: all, also later ones. An account that is deleted stays named, so that a
 * key never grows: without a name left it would be one for everything.
 */
export class Migration20261126080000KeyAccounts extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_keys
        add column account_ids uuid[],
        add constraint api_keys_account_ids_check check (cardinality(account_ids) > 0)`);
  }

  override down(): void {
    // Without the column they would be keys for everything.
    this.addSql(`delete from api_keys where account_ids is not null`);
    this.addSql(`alter table api_keys drop column account_ids`);
  }
}
