import { Module } from '@nestjs/common';
import { defineModule, KitModule } from 'tidemark';
import { AccountNote, Migration20261201000000AccountNotes } from './account-note.js';
import { AccountNotesController } from './account-notes.controller.js';

@Module({ imports: [KitModule], controllers: [AccountNotesController] })
class AccountNotesModule {}

/** A note for each account. */
export const accountNotes = defineModule({
  name: 'account-notes',
  needs: '^1.0',
  module: AccountNotesModule,
  tag: { name: 'Account notes', description: 'What people want to remember of an account.' },
  entities: [AccountNote],
  migrations: [Migration20261201000000AccountNotes],
  personalData: [{ type: 'account_note', table: 'account_notes' }],
  scopes: { 'notes:read': 'See notes on accounts.', 'notes:write': 'Write notes on accounts.' },
  accountScopes: ['notes:read', 'notes:write'],
});
