import { Module } from '@nestjs/common';
import {
  AccountsRepository,
  defineModule,
  defineTool,
  type DeletedAccounts,
  type EntityManager,
  KitModule,
  type MergedAccounts,
  noteChanges,
  type SentFile,
} from '../../kit.js';
import { Migration20261129000100Imports } from './20261129000100-imports.js';
import { importCommand } from './import.command.js';
import { Import, ImportFile, ImportLayout, ImportPart } from './import.entities.js';
import { ListImportsQuery } from './import.request.js';
import { ImportResponse, toImport } from './import.response.js';
import { ImportRowsService } from './import-rows.service.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';
import { ListImportsService } from './list-imports.service.js';
import { ImportsPageController } from './pages/imports-page.controller.js';
import { ReadFileService } from './read-file.service.js';

@Module({
  imports: [KitModule],
  controllers: [ImportsController, ImportsPageController],
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
  pages: [
    {
      place: 'settings',
      path: '/imports',
      text: 'Imports',
      about: 'Files of your banks add the years that they do not tell.',
      link: 'Import a file',
    },
    { place: 'account', path: '/imports', text: 'Import a file' },
    { place: 'home', path: '/imports', text: 'Import a file' },
  ],
  scopes: { 'imports:write': 'Import files of banks, and undo it.' },
  commands: { import: importCommand },
  demo: async (get, { userId }) => {
    const accounts = await get(AccountsRepository).list(userId);
    const account = accounts.find((one) => one.account_type === 'depository' && one.connection_id !== null);
    if (!account) return;
    const caller = { userId, timeZone: 'UTC' };
    const read = (year: number) => get(ImportsService).start(caller, demoFile(year), { account_id: account.id });
    await get(ImportsService).accept(caller, (await read(2023)).id);
    // One to look at, and to try the documentation with.
    await read(2022);
  },
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

/** A year before those that the banks of the sandbox tell. */
function demoFile(year: number): SentFile {
  const months = Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`);
  const rows = months.flatMap((month) => [
    `${month}-01,2400.00,Salary`,
    `${month}-03,-950.00,Rent`,
    `${month}-12,-84.20,Electricity`,
    `${month}-21,-310.75,Groceries`,
  ]);
  return { name: `checking-${year}.csv`, bytes: Buffer.from(['Date,Amount,Text', ...rows].join('\n')) };
}
