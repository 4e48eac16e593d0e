import { Module } from '@nestjs/common';
import {
  defineModule,
  defineTool,
  type DeletedAccounts,
  type EntityManager,
  KitModule,
  type MergedAccounts,
  noteChanges,
} from '../../kit.js';
import { Migration20261129000100Imports } from './20261129000100-imports.js';
import { Import, ImportFile, ImportLayout, ImportPart } from './import.entities.js';
import { ListImportsQuery } from './import.request.js';
import { ImportResponse, toImport } from './import.response.js';
import { ImportRowsService } from './import-rows.service.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';
import { ListImportsService } from './list-imports.service.js';
import { ReadFileService } from './read-file.service.js';

@Module({
  imports: [KitModule],
  controllers: [ImportsController],
  providers: [ImportRowsService, ImportsService, ListImportsService, ReadFileService],
})
class ImportsModule {}

export const imports = defineModule({
  name: 'imports',
  tag: { name: 'Imports', description: 'Files of your banks, for the years that no provider tells.' },
  module: ImportsModule,
  entities: [Import, ImportFile, ImportPart, ImportLayout],
  migrations: [Migration20261129000100Imports],
  personalData: [
    { type: 'import', table: 'imports', path: 'imports' },
    { type: 'import_account', table: 'import_parts' },
    { type: 'import_layout', table: 'import_layouts' },
  ],
  // A person has the file, and a preview of it lives for a day.
  notExported: ['import_files'],
  scopes: { 'imports:write': 'Import files of banks, and undo it.' },
  auditEvents: {
    import_accepted: { text: 'File imported' },
    import_undone: { text: 'Import undone' },
  },
  onMerge: moveParts,
  onDelete: noteDeleted,
  changes: [
    {
      kind: 'imports',
      scope: 'transactions:read',
      table: 'imports',
      response: ImportResponse,
      read: async (caller, ids, get) => (await get(ListImportsService).find(caller, ids)).map(toImport),
    },
  ],
  tools: [
    defineTool({
      name: 'list_imports',
      title: 'Imported files',
      description: 'Files of banks that the person has imported, with the days and transactions that they brought.',
      scope: 'transactions:read',
      query: ListImportsQuery,
      read: (caller, query, get) => get(ImportsController).list(caller, query),
    }),
  ],
  tasks: [
    {
      name: 'old-previews',
      cron: () => '40 3 * * *',
      isDaily: true,
      run: (get, stopping) => get(ImportsService).removeOld(stopping),
    },
  ],
});

/** In the transaction that merges accounts. */
async function moveParts(em: EntityManager, { userId, fromId, intoId }: MergedAccounts): Promise<void> {
  const parts = await em.find(ImportPart, { userId, accountId: fromId });
  for (const part of parts) part.accountId = intoId;
  noteChanges(userId, { kind: 'imports', ids: parts.map(({ importId }) => importId) });
}

/** In the transaction that deletes accounts, and what files have brought with them. */
async function noteDeleted(em: EntityManager, { userId, accountIds }: DeletedAccounts): Promise<void> {
  const parts = await em.find(ImportPart, { userId, accountId: { $in: [...accountIds] } });
  noteChanges(userId, { kind: 'imports', ids: parts.map(({ importId }) => importId) });
}
