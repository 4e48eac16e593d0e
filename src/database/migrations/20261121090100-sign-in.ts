import { Migration } from '@mikro-orm/migrations';

/** What signing in on the pages needs. Tokens are kept as hashes only: who reads the database cannot use them. */
export class Migration20261121090100SignIn extends Migration {
  override up(): void {
    this.addSql(`
      create table sessions (
        user_id uuid not null references users on delete cascade,
        token_hash bytea not null,
        created_at timestamptz not null,
        last_seen_at timestamptz not null,
        expires_at timestamptz not null,
        primary key (user_id, token_hash)
      )`);
    this.addSql(`create index sessions_token_idx on sessions (token_hash)`);

    this.addSql(`
      create table invitations (
        user_id uuid not null references users on delete cascade,
        token_hash bytea not null,
        expires_at timestamptz not null,
        primary key (user_id, token_hash)
      )`);
    this.addSql(`create index invitations_token_idx on invitations (token_hash)`);

    this.addSql(`
      create table sign_in_failures (
        email text not null,
        address text not null,
        failed_at timestamptz not null
      )`);
    this.addSql(`create index sign_in_failures_email_idx on sign_in_failures (email, failed_at desc)`);
    this.addSql(`create index sign_in_failures_address_idx on sign_in_failures (address, failed_at desc)`);
  }

  override down(): void {
    for (const table of ['sign_in_failures', 'invitations', 'sessions']) this.addSql(`drop table ${table}`);
  }
}
