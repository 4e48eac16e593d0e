import { Connection } from './connections/connection.entity.js';
import { DeletedAccount } from './ingest/delete-account/deleted-account.entity.js';
import { PageQuery } from '../http/pagination/page.js';
import { defineTool, type Part } from '../platform/module.js';
import { ConnectionsController } from './overview/connections.controller.js';
import { pruneSyncRuns } from './runs/prune-sync-runs.js';
import { SyncScheduler } from './schedule/sync-scheduler.js';
import { SyncRun } from './sync-run.entity.js';
import { SyncModule } from './sync.module.js';

export const sync: Part = {
  name: 'sync',
  module: SyncModule,
  entities: [Connection, DeletedAccount, SyncRun],
  personalData: [
    {
      type: 'connection',
      table: 'connections',
      without: ['credential', 'credential_fingerprint', 'pasted_fingerprint', 'pasted_at', 'cursor'],
    },
    { type: 'provider_request', table: 'provider_requests' },
    { type: 'deleted_account', table: 'deleted_accounts' },
    { type: 'sync', table: 'sync_runs' },
  ],
  scopes: {
    'connections:read': 'See connections to banks, and their syncs.',
    'connections:write': 'Connect banks, sync and disconnect.',
  },
  tasks: [{ name: 'due-syncs', cron: ({ syncCron }) => syncCron, run: (get) => get(SyncScheduler).enqueueDue() }],
  tools: [
    defineTool({
      name: 'list_connections',
      title: 'Connections',
      description: 'The connected banks: whether they work, how fresh their data are, and what a person has to do.',
      scope: 'connections:read',
      query: PageQuery,
      read: (caller, query, get) => get(ConnectionsController).list(caller, query),
    }),
  ],
  lockedBeforeDeletion: ['connections', 'sync_runs'],
  retention: { syncs: pruneSyncRuns },
};
