import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BalancesModule } from '../balances/balances.module.js';
import { PersonalDataExportService } from '../personal-data/personal-data-export.service.js';
import { IngestModule } from '../ingest/ingest.module.js';
import { SyncModule } from '../sync/sync.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AccountCsvController } from './account/account-csv.controller.js';
import { AccountPageController } from './account/account-page.controller.js';
import { MergeAccountsPageController } from './account/merge-accounts-page.controller.js';
import { BalancesPageController } from './account/balances-page.controller.js';
import { ReconciliationPageController } from './account/reconciliation-page.controller.js';
import { ConnectPageController } from './connections/connect-page.controller.js';
import { ConnectionPageController } from './connections/connection-page.controller.js';
import { ConnectionViews } from './connections/connection-views.js';
import { SyncsPageController } from './connections/syncs-page.controller.js';
import { ConnectionsPageController } from './connections/connections-page.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignOutController } from './sign-in/sign-out.controller.js';
import { SignUpController } from './sign-in/sign-up.controller.js';
import { AssetsController } from './layout/assets.controller.js';
import { LicenseController } from './layout/license.controller.js';
import { PageGuard } from './layout/page.guard.js';
import { HomeController } from './home/home.controller.js';
import { KeysPageController } from './keys/keys-page.controller.js';
import { SecondFactorPageController } from './second-factor/second-factor-page.controller.js';
import { ActivityPageController } from './settings/activity-page.controller.js';
import { TransactionsPageController } from './transactions/transactions-page.controller.js';
import { WebhooksPageController } from './webhooks/webhooks-page.controller.js';
import { SettingsPageController } from './settings/settings-page.controller.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule, IngestModule, SyncModule, WebhooksModule],
  controllers: [
    AccountCsvController,
    AccountPageController,
    ActivityPageController,
    AssetsController,
    BalancesPageController,
    // Before `connections/:id`, which would take `connections/new`.
    ConnectPageController,
    ConnectionPageController,
    ConnectionsPageController,
    HomeController,
    KeysPageController,
    LicenseController,
    MergeAccountsPageController,
    ReconciliationPageController,
    SecondFactorPageController,
    SettingsPageController,
    SignInController,
    SignOutController,
    SignUpController,
    SyncsPageController,
    TransactionsPageController,
    WebhooksPageController,
  ],
  providers: [ConnectionViews, PageGuard, PersonalDataExportService],
})
export class WebModule {}
