import { Migration } from '@mikro-orm/migrations';

/**
 * Which days of a history are not certain, so that charts and sums need not derive it again to know. Accounts get theirs
 * with the next derivation; it writes facts in the same transaction, whose triggers count the account's revision.
 */
export class Migration20261125060000UncertainDays extends Migration {
  override up(): void {
    this.addSql(`
      create table uncertain_days (
        user_id uuid not null,
        account_id uuid not null,
        start_date date not null,
        end_date date not null check (end_date >= start_date),
        level text not null check (level in ('estimated', 'unknown')),
        primary key (user_id, account_id, start_date),
        foreign key (user_id, account_id) references accounts on delete cascade
      )`);
  }

  override down(): void {
    this.addSql(`drop table uncertain_days`);
  }
}
