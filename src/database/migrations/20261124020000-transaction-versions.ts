import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps what banks listed before. `transactions` stays the list as it is now; a version that a bank changed or withdrew
 * moves to `transaction_versions`. Every statement that writes a version also writes `transactions`, whose trigger counts
 * the account's revision.
 */
export class Migration20261124020000TransactionVersions extends Migration {
  override up(): void {
    // Null means: as listed first. So no existing row has to be written.
    this.addSql(`alter table transactions add column listed_from timestamptz`);
    this.addSql(`create unique index transactions_id_key on transactions (user_id, id)`);
    this.addSql(`
      create table transaction_versions (
        user_id uuid not null,
        account_id uuid not null,
        id uuid not null default gen_random_uuid(),
        transaction_id uuid not null,
        external_id text not null,
        date date not null,
        amount_minor bigint not null,
        currency text not null,
        description text not null,
        merchant text,
        hold_external_id text,
        listed_from timestamptz not null,
        listed_until timestamptz not null check (listed_until >= listed_from),
        reason text not null check (reason in ('changed', 'reissued', 'withdrawn', 'merged')),
        replaced_by uuid,
        first_seen_at timestamptz not null,
        transaction_created_at timestamptz not null,
        primary key (user_id, account_id, id),
        foreign key (user_id, account_id) references accounts on delete cascade
      )`);
    this.addSql(`
      create index transaction_versions_transaction_idx on transaction_versions (user_id, transaction_id, listed_until)`);
    this.addSql(`
      create statistics transaction_versions_of_accounts (dependencies) on user_id, account_id
      from transaction_versions`);
  }

  override down(): void {
    this.addSql(`drop table transaction_versions`);
    this.addSql(`drop index transactions_id_key`);
    this.addSql(`alter table transactions drop column listed_from`);
  }
}
