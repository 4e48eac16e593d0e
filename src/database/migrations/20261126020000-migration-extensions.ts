import { Migration } from '@mikro-orm/migrations';

/** Whose each migration is, so that a program without an extension can name it. */
export class Migration20261126020000MigrationExtensions extends Migration {
  override up(): void {
    this.addSql(`alter table migrations add column extension text`);
  }

  override down(): void {
    this.addSql(`alter table migrations drop column extension`);
  }
}
