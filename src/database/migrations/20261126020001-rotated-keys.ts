import { Migration } from '@mikro-orm/migrations';

/** A key that was rotated: its text of before is good for a while, or not at all. */
export class Migration20261126020001RotatedKeys extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_keys
        add column rotated_at timestamptz,
        add column previous_key_hash bytea,
        add column previous_valid_until timestamptz,
        add constraint api_keys_previous_check check ((previous_key_hash is null) = (previous_valid_until is null))`);
    this.addSql(
      `create index api_keys_previous_idx on api_keys (previous_key_hash) where previous_key_hash is not null`,
    );
    this.addSql(`
      create trigger api_keys_rotation_news after update of key_hash on api_keys
      for each row execute function tell_api_key_news()`);
  }

  override down(): void {
    this.addSql(`drop trigger api_keys_rotation_news on api_keys`);
    this.addSql(`
      alter table api_keys drop column rotated_at, drop column previous_key_hash, drop column previous_valid_until`);
  }
}
