import { Migration } from '@mikro-orm/migrations';

/**
 * Counts the changes of each account instead of those of each person, so that two connections of one person write at the
 * same time. A person's revision is the sum. Every transaction that changes anything adds to it and nothing ever takes
 * from it, so that two different states never have the same one. That would not be so of the highest number of a
 * sequence, which hides a lower one that commits later.
 */
export class Migration20261123051700AccountRevisions extends Migration {
  override up(): void {
    // The rows of removed accounts stay, or the sum would fall. There is no foreign key to accounts for that reason.
    this.addSql(`
      create table account_revisions (
        user_id uuid not null references users on delete cascade,
        account_id uuid not null,
        revision bigint not null,
        primary key (user_id, account_id)
      )`);
    // What was counted so far belongs to no account. Tags that clients have stay true.
    this.addSql(`
      insert into account_revisions (user_id, account_id, revision)
      select user_id, '00000000-0000-0000-0000-000000000000', revision from user_revisions`);
    this.addSql(`drop table user_revisions`);
    this.addSql(`
      create view user_revisions as
      select user_id, sum(revision)::bigint as revision from account_revisions group by user_id`);

    // Called by the triggers that are there already. Whoever changes an account's data has locked the account before.
    this.addSql(`
      create or replace function move_user_revision() returns trigger language plpgsql as $$
      begin
        if tg_table_name = 'accounts' then
          insert into account_revisions as stored (user_id, account_id, revision)
          select c.user_id, c.id, 1 from changed c join users u on u.id = c.user_id order by 1, 2
          on conflict (user_id, account_id) do update set revision = stored.revision + 1;
        else
          insert into account_revisions as stored (user_id, account_id, revision)
          select distinct c.user_id, c.account_id, 1 from changed c join users u on u.id = c.user_id order by 1, 2
          on conflict (user_id, account_id) do update set revision = stored.revision + 1;
        end if;
        return null;
      end $$`);
  }

  override down(): void {
    this.addSql(`drop view user_revisions`);
    this.addSql(`
      create table user_revisions (
        user_id uuid primary key references users on delete cascade,
        revision bigint not null
      )`);
    this.addSql(`
      insert into user_revisions (user_id, revision)
      select user_id, sum(revision) from account_revisions group by user_id`);
    this.addSql(`drop table account_revisions`);
    this.addSql(`
      create or replace function move_user_revision() returns trigger language plpgsql as $$
      begin
        insert into user_revisions as stored (user_id, revision)
        select distinct c.user_id, 1 from changed c join users u on u.id = c.user_id order by 1
        on conflict (user_id) do update set revision = stored.revision + 1;
        return null;
      end $$`);
  }
}
