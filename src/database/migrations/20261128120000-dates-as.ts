import { Migration } from '@mikro-orm/migrations';

/** How the feed of an account writes days, decided once enough of its transactions have come. */
export class Migration20261128120000DatesAs extends Migration {
  override up(): void {
    this.addSql(`alter table accounts add column dates_as text check (dates_as in ('days', 'instants'))`);
  }

  override down(): void {
    this.addSql(`alter table accounts drop column dates_as`);
  }
}
