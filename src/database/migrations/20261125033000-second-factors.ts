import { Migration } from '@mikro-orm/migrations';

/** The authenticator app of a person, its secret sealed, and the codes that stand in for it, as hashes. */
export class Migration20261125033000SecondFactors extends Migration {
  override up(): void {
    this.addSql(`
      create table second_factors (
        user_id uuid not null references users on delete cascade,
        id uuid not null default gen_random_uuid(),
        credential text not null,
        created_at timestamptz not null,
        -- Null: it is being set up, and not asked for.
        confirmed_at timestamptz,
        -- The time step of the newest code that was accepted: none is accepted twice.
        last_used_step bigint not null default 0,
        primary key (user_id, id),
        unique (user_id)
      )`);
    this.addSql(`
      create table recovery_codes (
        user_id uuid not null references users on delete cascade,
        code_hash bytea not null,
        created_at timestamptz not null,
        used_at timestamptz,
        primary key (user_id, code_hash)
      )`);
  }

  override down(): void {
    this.addSql(`drop table recovery_codes`);
    this.addSql(`drop table second_factors`);
  }
}
