import { Migration } from '@mikro-orm/migrations';
import { TextColumn, UserRow, UserTable } from 'tidemark';

/** Its id is that of the account. */
@UserTable('account_notes')
export class AccountNote extends UserRow<'account_notes'> {
  @TextColumn()
  text: string;
}

export class Migration20261201000000AccountNotes extends Migration {
  override up(): void {
    this.addSql(`
      create table account_notes (
        user_id uuid not null,
        id uuid not null,
        text text not null,
        primary key (user_id, id),
        foreign key (user_id, id) references accounts (user_id, id) on delete cascade
      )`);
  }
}
