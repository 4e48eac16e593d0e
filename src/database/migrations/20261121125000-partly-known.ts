import { Migration } from '@mikro-orm/migrations';

/** How much of an account is known whose beginning was never reached, so that asking goes on where it stopped. */
export class Migration20261121125000PartlyKnown extends Migration {
  override up(): void {
    this.addSql(`
      alter table accounts add column known_from date, add column known_until date,
        add constraint accounts_partly_known check ((known_from is null) = (known_until is null))`);
  }

  override down(): void {
    this.addSql(`alter table accounts drop column known_from, drop column known_until`);
  }
}
