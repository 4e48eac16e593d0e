import { Migration } from '@mikro-orm/migrations';

/** What a person decides about an account: it is closed, left out of net worth, hidden or deleted. */
export class Migration20261125070000AccountLife extends Migration {
  override up(): void {
    this.addSql(`
      alter table accounts
        add column closed_on date,
        add column include_in_net_worth boolean not null default true,
        add column hidden boolean not null default false`);
    // Nothing of a deleted account stays but what keeps its connection from bringing it back.
    this.addSql(`
      create table deleted_accounts (
        user_id uuid not null,
        connection_id uuid not null,
        external_id text not null,
        account_id uuid not null,
        name text not null,
        deleted_at timestamptz not null,
        primary key (user_id, connection_id, external_id),
        foreign key (user_id, connection_id) references connections on delete cascade
      )`);
  }

  override down(): void {
    this.addSql(`drop table deleted_accounts`);
    this.addSql(`alter table accounts drop column closed_on, drop column include_in_net_worth, drop column hidden`);
  }
}
