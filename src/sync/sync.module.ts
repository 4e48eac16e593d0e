import { Module, type OnModuleInit } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BalancesModule } from '../balances/balances.module.js';
import { ClaimedCredentials } from './connections/claimed-credentials.js';
import { ConnectionEdits } from './connections/connection-edits.service.js';
import { ConnectionsController } from './connections/connections.controller.js';
import { ConnectionsRepository } from './connections/connections.repository.js';
import { Connections } from './connections/connections.service.js';
import { CredentialVault } from './connections/credential-vault.js';
import { EditConnectionController } from './connections/edit-connection.controller.js';
import { ProviderRequestsService } from './connections/provider-requests.service.js';
import { ManualSyncLimit } from './connections/manual-sync-limit.js';
import { RunWatch } from './runs/run-watch.js';
import { RelinkController } from './relinks/relink.controller.js';
import { Relinks } from './relinks/relink.service.js';
import { Scheduler } from './runs/scheduler.js';
import { SyncConnection } from './sync-connection.js';
import { SyncChanges } from './runs/sync-changes.js';
import { SyncEventsController } from './runs/sync-events.controller.js';
import { SyncFeed } from './runs/sync-feed.js';
import { SyncOutcome } from './runs/sync-outcome.js';
import { SyncQueue } from './runs/sync-queue.js';
import { RebuildRuns } from './runs/rebuild-runs.js';
import { SyncRevisions } from './sync-revisions.js';
import { SyncRuns } from './runs/sync-runs.repository.js';
import { SyncsController } from './runs/syncs.controller.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule, ScheduleModule.forRoot()],
  controllers: [
    ConnectionsController,
    EditConnectionController,
    RelinkController,
    SyncEventsController,
    SyncsController,
  ],
  providers: [
    ClaimedCredentials,
    ConnectionEdits,
    Connections,
    ConnectionsRepository,
    CredentialVault,
    ManualSyncLimit,
    ProviderRequestsService,
    RunWatch,
    Relinks,
    Scheduler,
    SyncChanges,
    SyncConnection,
    SyncFeed,
    SyncOutcome,
    SyncQueue,
    SyncRevisions,
    RebuildRuns,
    SyncRuns,
  ],
  exports: [ConnectionEdits, Connections, ConnectionsRepository, RebuildRuns, Relinks, SyncFeed, SyncRuns],
})
export class SyncModule implements OnModuleInit {
  constructor(
    private readonly queue: SyncQueue,
    private readonly syncConnection: SyncConnection,
  ) {}

  onModuleInit(): void {
    this.queue.handleWith((job, signal) => this.syncConnection.run(job, signal));
  }
}
