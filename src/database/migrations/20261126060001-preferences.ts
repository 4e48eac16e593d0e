import { Migration } from '@mikro-orm/migrations';

/** How the pages look for a person. */
export class Migration20261126060001Preferences extends Migration {
  override up(): void {
    this.addSql(`
      alter table users
        add column theme text not null default 'system',
        add column number_format text not null default 'en-US'`);
  }

  override down(): void {
    this.addSql(`alter table users drop column theme, drop column number_format`);
  }
}
