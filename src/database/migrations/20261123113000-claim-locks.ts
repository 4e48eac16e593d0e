import { Migration } from '@mikro-orm/migrations';

/**
 * Which secret is being connected, or was connected a moment ago, so that two instances never spend one single-use code
 * twice. A row of a crashed instance expires.
 */
export class Migration20261123113000ClaimLocks extends Migration {
  override up(): void {
    this.addSql(`
      create table claim_locks (
        user_id uuid not null references users (id) on delete cascade,
        provider text not null,
        fingerprint text not null,
        holder uuid not null,
        connection_id uuid,
        expires_at timestamptz not null,
        primary key (user_id, provider, fingerprint)
      )`);
    this.addSql(
      `comment on column claim_locks.connection_id is 'the connection that was made; null while it is being made'`,
    );
  }

  override down(): void {
    this.addSql(`drop table claim_locks`);
  }
}
