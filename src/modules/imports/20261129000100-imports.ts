import { Migration } from '@mikro-orm/migrations';

export class Migration20261129000100Imports extends Migration {
  override up(): void {
    this.addSql(`
      -- Files of banks: read and shown, or accepted. What an accepted one has is in imported_lists of its accounts.
      create table imports (
        user_id uuid not null references users on delete cascade,
        id uuid not null,
        -- Of the file.
        name text not null,
        format text not null,
        status text not null check (status in ('preview', 'accepted')),
        -- What the person has said of the file, and its accounts.
        choices jsonb not null,
        -- What reading it has shown.
        preview jsonb,
        created_at timestamptz not null,
        accepted_at timestamptz,
        primary key (user_id, id),
        check ((status = 'accepted') = (accepted_at is not null)),
        check ((status = 'preview') = (preview is not null))
      );
      create index imports_preview_idx on imports (created_at) where status = 'preview';

      -- The bytes, until the file is accepted.
      create table import_files (
        user_id uuid not null,
        id uuid not null,
        content bytea not null,
        primary key (user_id, id),
        foreign key (user_id, id) references imports on delete cascade
      );

      -- An account of an accepted file, and where its list went. Ids are those of imported_lists.
      create table import_parts (
        user_id uuid not null,
        id uuid not null,
        import_id uuid not null,
        account_id uuid not null,
        -- The place of the account in the file, from 0.
        file_account integer not null,
        -- The days of which it lists all transactions; null: none.
        first_date date,
        last_date date,
        balances integer not null,
        primary key (user_id, id),
        foreign key (user_id, import_id) references imports on delete cascade,
        foreign key (user_id, account_id) references accounts on delete cascade
      );
      create index import_parts_import_idx on import_parts (user_id, import_id);
      create index import_parts_account_idx on import_parts (user_id, account_id);

      -- What a person has said of CSV files with the same header.
      create table import_layouts (
        user_id uuid not null references users on delete cascade,
        -- A digest of the header, the encoding and the separator.
        header text not null,
        choices jsonb not null,
        updated_at timestamptz not null,
        primary key (user_id, header)
      );
    `);
  }
}
