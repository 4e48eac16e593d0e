import { Migration } from '@mikro-orm/migrations';

/**
 * How many requests of a minute each API key has spent, on all instances together. Unlogged, since a count that is lost
 * in a crash costs nothing, and half empty pages, so that an update stays on its page.
 */
export class Migration20261121088000RateLimits extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table rate_limits (
        user_id uuid not null,
        api_key_id uuid not null,
        minute integer not null,
        spent bigint not null,
        primary key (user_id, api_key_id),
        foreign key (user_id, api_key_id) references api_keys on delete cascade
      ) with (fillfactor = 50)`);
  }

  override down(): void {
    this.addSql(`drop table rate_limits`);
  }
}
