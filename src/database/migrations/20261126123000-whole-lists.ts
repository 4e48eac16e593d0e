import { Migration } from '@mikro-orm/migrations';

/** Until when an account was really listed, in the time zone of its person. Of the past, the last report says so. */
export class Migration20261126123000WholeLists extends Migration {
  override up(): void {
    this.addSql(`alter table accounts add column complete_on date`);
    this.addSql(`
      update accounts a set complete_on = least(a.complete_until, r.day)
      from (select user_id, account_id, max(day) as day from observations group by user_id, account_id) r
      where r.user_id = a.user_id and r.account_id = a.id and a.complete_until is not null`);
  }

  override down(): void {
    this.addSql(`alter table accounts drop column complete_on`);
  }
}
