import { Migration } from '@mikro-orm/migrations';

/** Two accounts that turn out to be one become one: their observations move, and the holdings go along. */
export class Migration20261121086100MovableObservations extends Migration {
  override up(): void {
    this.addSql(`
      alter table holdings
        drop constraint holdings_user_id_account_id_observed_at_fkey,
        add constraint holdings_user_id_account_id_observed_at_fkey
          foreign key (user_id, account_id, observed_at) references observations on update cascade on delete cascade`);
  }

  override down(): void {
    this.addSql(`
      alter table holdings
        drop constraint holdings_user_id_account_id_observed_at_fkey,
        add constraint holdings_user_id_account_id_observed_at_fkey
          foreign key (user_id, account_id, observed_at) references observations on delete cascade`);
  }
}
