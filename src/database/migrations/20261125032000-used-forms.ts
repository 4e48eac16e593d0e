import { Migration } from '@mikro-orm/migrations';

/**
 * Forms that were sent, so that the same one sent again does nothing, and what is shown once after it. Unlogged: a row is
 * worth something for an hour, and no backup has a secret of it.
 */
export class Migration20261125032000UsedForms extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table used_forms (
        user_id uuid not null references users on delete cascade,
        form_id bytea not null,
        -- Sealed; null: shown already.
        result text,
        expires_at timestamptz not null,
        primary key (user_id, form_id)
      )`);
  }

  override down(): void {
    this.addSql(`drop table used_forms`);
  }
}
