import { Module, type OnModuleInit } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { GlobalProviderModule } from '../global-provider/global-provider.module.js';
import { UsProviderModule } from '../us-provider/us-provider.module.js';
import { BankProviders } from './bank-providers.js';
import { ClaimedCredentials } from './claimed-credentials.js';
import { ConnectionEdits } from './connection-edits.service.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsRepository } from './connections.repository.js';
import { Connections } from './connections.service.js';
import { CredentialVault } from './credential-vault.js';
import { EditConnectionController } from './edit-connection.controller.js';
import { ManualSyncLimit } from './manual-sync-limit.js';
import { RunWatch } from './run-watch.js';
import { RelinkController } from './relink.controller.js';
import { Relinks } from './relink.service.js';
import { Scheduler } from './scheduler.js';
import { SyncConnection } from './sync-connection.js';
import { SyncChanges } from './sync-changes.js';
import { SyncEventsController } from './sync-events.controller.js';
import { SyncFeed } from './sync-feed.js';
import { SyncOutcome } from './sync-outcome.js';
import { SyncQueue } from './sync-queue.js';
import { SyncRuns } from './sync-runs.repository.js';
import { SyncsController } from './syncs.controller.js';

@Module({
  imports: [AccountsModule, AuthModule, GlobalProviderModule, UsProviderModule, ScheduleModule.forRoot()],
  controllers: [
    ConnectionsController,
    EditConnectionController,
    RelinkController,
    SyncEventsController,
    SyncsController,
  ],
  providers: [
    BankProviders,
    ClaimedCredentials,
    ConnectionEdits,
    Connections,
    ConnectionsRepository,
    CredentialVault,
    ManualSyncLimit,
    RunWatch,
    Relinks,
    Scheduler,
    SyncChanges,
    SyncConnection,
    SyncFeed,
    SyncOutcome,
    SyncQueue,
    SyncRuns,
  ],
  exports: [BankProviders, ConnectionEdits, Connections, ConnectionsRepository, Relinks, SyncFeed, SyncRuns],
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
