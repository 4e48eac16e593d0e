import { Migration } from '@mikro-orm/migrations';

/** What a connection tells of its provider and its credential, and which accounts a person said are not the same. */
export class Migration20261121086000Connections extends Migration {
  override up(): void {
    this.addSql(`
      alter table connections
        add column server_versions text[],
        add column credential_since timestamptz not null default now()`);
    this.addSql(`update connections set credential_since = created_at`);
    this.addSql(`
      create table accounts_kept_apart (
        user_id uuid not null,
        account_id uuid not null,
        other_account_id uuid not null,
        created_at timestamptz not null default now(),
        primary key (user_id, account_id, other_account_id),
        foreign key (user_id, account_id) references accounts on delete cascade,
        foreign key (user_id, other_account_id) references accounts on delete cascade
      )`);
    this.addSql(`create index accounts_kept_apart_other_idx on accounts_kept_apart (user_id, other_account_id)`);
  }

  override down(): void {
    this.addSql(`drop table accounts_kept_apart`);
    this.addSql(`alter table connections drop column server_versions, drop column credential_since`);
  }
}
