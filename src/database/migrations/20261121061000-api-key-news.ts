import { Migration } from '@mikro-orm/migrations';

/** Tells every instance whose keys have changed, so that a revoked key is worth nothing anywhere at once. */
export class Migration20261121061000ApiKeyNews extends Migration {
  override up(): void {
    this.addSql(`
      create function tell_api_key_news() returns trigger language plpgsql as $$
      begin
        perform pg_notify('api_keys', case tg_table_name when 'users' then old.id else old.user_id end::text);
        return null;
      end $$`);
    this.addSql(`
      create trigger api_keys_news after delete or update of scopes, expires_at, revoked_at on api_keys
      for each row execute function tell_api_key_news()`);
    this.addSql(`
      create trigger users_news after update of time_zone on users
      for each row execute function tell_api_key_news()`);
  }

  override down(): void {
    this.addSql(`drop function tell_api_key_news() cascade`);
  }
}
