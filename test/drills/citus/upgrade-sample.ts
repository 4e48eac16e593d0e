import { Migration } from '@mikro-orm/migrations';
import { Module } from '@nestjs/common';
import { colocateByUser } from '../../../src/database/citus.js';
import { defineModule } from '../../../src/platform/module.js';

class Migration29990101000000SavingsNotes extends Migration {
  override up(): void {
    this.addSql(`alter table accounts add column saved_for text`);
    this.addSql(`create index accounts_saved_for_idx on accounts (user_id, saved_for) where saved_for is not null`);
    this.addSql(`
      create table savings_notes (
        user_id uuid not null,
        account_id uuid not null,
        note text not null,
        primary key (user_id, account_id)
      )`);
    this.addSql(colocateByUser('savings_notes'));
    this.addSql(`
      alter table savings_notes add foreign key (user_id, account_id) references accounts on delete cascade`);
  }
}

@Module({})
class SavingsNotesModule {}

/** What a later version does to the schema: a column, an index, and a table with a foreign key. */
export const upgradeSample = defineModule({
  name: 'savings-notes',
  module: SavingsNotesModule,
  migrations: [Migration29990101000000SavingsNotes],
});
