import { Migration } from '@mikro-orm/migrations';

/** What was answered to a POST under its `Idempotency-Key`, for a day. */
export class Migration20261125020000IdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotency_keys (
        user_id uuid not null references users (id) on delete cascade,
        key text not null,
        fingerprint text not null,
        holder uuid not null,
        leased_until timestamptz not null,
        has_committed boolean not null default false,
        answer text,
        expires_at timestamptz not null,
        primary key (user_id, key)
      )`);
    this.addSql(
      `comment on column idempotency_keys.has_committed is 'set by the transactions of the request: it must not run again'`,
    );
    this.addSql(`comment on column idempotency_keys.answer is 'sealed; null while there is none'`);
  }

  override down(): void {
    this.addSql(`drop table idempotency_keys`);
  }
}
