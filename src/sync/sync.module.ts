import { Module } from '@nestjs/common';
import { AccountsModule } from '../balances/accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BalancesModule } from '../balances/balances.module.js';
import { RequestBudgetService } from './connections/request-budget.service.js';
import { IngestModule } from './ingest/ingest.module.js';
import { ScheduleModule } from './jobs/schedule.module.js';
import { EditConnectionService } from './connect/edit-connection.service.js';
import { ConnectionsController } from './overview/connections.controller.js';
import { ConnectionHealthQueries } from './overview/connection-health.queries.js';
import { ExampleIdsQueries } from './overview/example-ids.queries.js';
import { ConnectionOverviewQueries } from './overview/connection-overview.queries.js';
import { ConnectBankService } from './connect/connect-bank.service.js';
import { InstitutionsController, InstitutionsService } from './connect/institutions.controller.js';
import { PushesController, PushesService } from './connect/pushes.controller.js';
import { ProviderRequestsService } from './overview/provider-requests.service.js';
import { SyncScheduler } from './schedule/sync-scheduler.js';
import { PrepareSyncService } from './prepare-sync.service.js';
import { SyncConnectionService } from './sync-connection.service.js';
import { SyncEventsController } from './runs/sync-events.controller.js';
import { ChangeStream } from './events/change-stream.js';
import { ModuleEvents } from './events/module-events.service.js';
import { RunAttempts } from './runs/run-attempt.js';
import { RunOutcomeService } from './runs/run-outcome.service.js';
import { SyncRevisions } from './sync-revisions.js';
import { SyncRunsService } from './runs/sync-runs.service.js';
import { SyncsController } from './runs/syncs.controller.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule, IngestModule, ScheduleModule],
  controllers: [ConnectionsController, InstitutionsController, PushesController, SyncEventsController, SyncsController],
  providers: [
    EditConnectionService,
    ConnectBankService,
    ConnectionHealthQueries,
    ExampleIdsQueries,
    ConnectionOverviewQueries,
    ProviderRequestsService,
    RequestBudgetService,
    InstitutionsService,
    PushesService,
    SyncScheduler,
    PrepareSyncService,
    SyncConnectionService,
    ChangeStream,
    ModuleEvents,
    RunAttempts,
    RunOutcomeService,
    SyncRevisions,
    SyncRunsService,
  ],
  exports: [
    InstitutionsService,
    EditConnectionService,
    ConnectBankService,
    ConnectionHealthQueries,
    ExampleIdsQueries,
    ConnectionOverviewQueries,
    ChangeStream,
    SyncRevisions,
    SyncRunsService,
  ],
})
export class SyncModule {}
