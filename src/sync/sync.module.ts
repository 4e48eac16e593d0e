import { Module, type OnModuleInit } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BalancesModule } from '../balances/balances.module.js';
import { ConnectionsModule } from '../connections/connections.module.js';
import { IngestModule } from '../ingest/ingest.module.js';
import { ConnectionEdits } from './connect/connection-edits.service.js';
import { ConnectionsController } from './overview/connections.controller.js';
import { ConnectionsRepository } from './overview/connection-overview.queries.js';
import { Connections } from './connect/connections.service.js';
import { EditConnectionController } from './overview/edit-connection.controller.js';
import { ProviderRequestsService } from './overview/provider-requests.service.js';
import { RunWatch } from './runs/stale-run-reaper.js';
import { Scheduler } from './schedule/sync-scheduler.js';
import { SyncConnection } from './sync-connection.js';
import { SyncChanges } from './events/sync-run.subscriber.js';
import { SyncEventsController } from './runs/sync-events.controller.js';
import { SyncFeed } from './events/sync-run.feed.js';
import { SyncOutcome } from './runs/run-outcome.js';
import { SyncQueue } from './queue/sync-queue.js';
import { RebuildRuns } from './runs/rebuild-runs.js';
import { SyncRevisions } from './sync-revisions.js';
import { SyncRuns } from './runs/sync-runs.repository.js';
import { SyncsController } from './runs/syncs.controller.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule, ConnectionsModule, IngestModule, ScheduleModule.forRoot()],
  controllers: [ConnectionsController, EditConnectionController, SyncEventsController, SyncsController],
  providers: [
    ConnectionEdits,
    Connections,
    ConnectionsRepository,
    ProviderRequestsService,
    RunWatch,
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
  exports: [ConnectionEdits, Connections, ConnectionsRepository, RebuildRuns, SyncFeed, SyncRuns],
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
