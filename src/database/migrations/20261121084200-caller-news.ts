import { Migration } from '@mikro-orm/migrations';

/** A record has the fields of its own table only: naming the other table's, even in a branch not taken, is an error. */
export class Migration20261121084200CallerNews extends Migration {
  override up(): void {
    this.#tell(`to_jsonb(old) ->> case tg_table_name when 'users' then 'id' else 'user_id' end`);
  }

  override down(): void {
    this.#tell(`case tg_table_name when 'users' then old.id else old.user_id end::text`);
  }

  #tell(who: string): void {
    this.addSql(`
      create or replace function tell_api_key_news() returns trigger language plpgsql as $$
      begin
        perform pg_notify('api_keys', ${who});
        return null;
      end $$`);
  }
}
