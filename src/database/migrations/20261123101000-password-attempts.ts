import { Migration } from '@mikro-orm/migrations';

/**
 * Attempts to give a password, counted before the password is checked. The columns and their order are those of
 * rate-limiter-flexible's store for PostgreSQL; `expire` is in milliseconds since the epoch.
 */
export class Migration20261123101000PasswordAttempts extends Migration {
  override up(): void {
    this.addSql(`
      create table password_attempts (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      )`);
    this.addSql(`create index password_attempts_expire_idx on password_attempts (expire)`);
    this.addSql(`drop table sign_in_failures`);
  }

  override down(): void {
    this.addSql(`
      create table sign_in_failures (
        email text not null,
        address text not null,
        failed_at timestamptz not null
      )`);
    this.addSql(`create index sign_in_failures_email_idx on sign_in_failures (email, failed_at desc)`);
    this.addSql(`create index sign_in_failures_address_idx on sign_in_failures (address, failed_at desc)`);
    this.addSql(`drop table password_attempts`);
  }
}
