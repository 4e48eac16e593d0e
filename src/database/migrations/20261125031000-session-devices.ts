import { Migration } from '@mikro-orm/migrations';

/** What a person recognises a session by, and when its password was given last. */
export class Migration20261125031000SessionDevices extends Migration {
  override up(): void {
    this.addSql(`
      alter table sessions
        add column id uuid not null default gen_random_uuid(),
        add column client_address text,
        add column device text,
        add column password_given_at timestamptz`);
  }

  override down(): void {
    this.addSql(`
      alter table sessions
        drop column id, drop column client_address, drop column device, drop column password_given_at`);
  }
}
