import { Migration } from '@mikro-orm/migrations';

/** Deleting an account deletes its goals, and deleting a person deletes the accounts. */
export class Migration20261201000000SavingsGoals extends Migration {
  override up(): void {
    this.addSql(`
      create table savings_goals (
        user_id uuid not null,
        id uuid not null,
        account_id uuid not null,
        name text not null,
        target_minor bigint not null check (target_minor > 0),
        currency text not null,
        due_on date,
        created_at timestamptz not null,
        primary key (user_id, id),
        foreign key (user_id, account_id) references accounts (user_id, id) on delete cascade
      )`);
    this.addSql(`create index savings_goals_account_idx on savings_goals (user_id, account_id)`);
  }
}
