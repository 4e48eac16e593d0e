import { Module } from '@nestjs/common';
import { AccountsModule } from '../balances/accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BalancesModule } from '../balances/balances.module.js';
import { PersonalDataExportService } from './settings/personal-data-export.service.js';
import { IngestModule } from '../sync/ingest/ingest.module.js';
import { SyncModule } from '../sync/sync.module.js';
import { AccountCsvController } from './account/account-csv.controller.js';
import { AccountPageController } from './account/account-page.controller.js';
import { AddAccountPageController } from './account/add-account-page.controller.js';
import { StatementsPageController } from './account/statements-page.controller.js';
import { MergeAccountsPageController } from './account/merge-accounts-page.controller.js';
import { BalancesPageController } from './account/balances-page.controller.js';
import { ReconciliationPageController } from './account/reconciliation-page.controller.js';
import { ConnectPageController } from './connections/connect-page.controller.js';
import { ConsentController } from './connections/consent.controller.js';
import { ConnectionPageController } from './connections/connection-page.controller.js';
import { ConnectionViews } from './connections/connection-views.js';
import { SyncsPageController } from './connections/syncs-page.controller.js';
import { ConnectionsPageController } from './connections/connections-page.controller.js';
import { SignInController, SignOutController } from './sign-in/sign-in.controller.js';
import { SignUpController } from './sign-in/sign-up.controller.js';
import { AssetsController, LicenseController } from './layout/assets.controller.js';
import { PageGuard } from './layout/web-page.js';
import { AccountTypesPageController } from './home/account-types-page.controller.js';
import { DayPageController } from './home/day-page.controller.js';
import { HomeController } from './home/home.controller.js';
import { KeysPageController } from './keys/keys-page.controller.js';
import { SecondFactorPageController } from './settings/second-factor-page.controller.js';
import { ActivityPageController } from './settings/activity-page.controller.js';
import { TransactionPageController } from './account/transaction-page.controller.js';
import { TransactionsPageController } from './account/transactions-page.controller.js';
import { SettingsPageController } from './settings/settings-page.controller.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule, IngestModule, SyncModule],
  controllers: [
    AccountCsvController,
    // Before `accounts/:id`, which would take `accounts/new`.
    AddAccountPageController,
    AccountPageController,
    ActivityPageController,
    AssetsController,
    BalancesPageController,
    // Before `connections/:id`, which would take `connections/new`.
    ConnectPageController,
    ConsentController,
    ConnectionPageController,
    ConnectionsPageController,
    AccountTypesPageController,
    DayPageController,
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
    StatementsPageController,
    SyncsPageController,
    // Before `transactions/:id`, which would take `transactions/transactions`.
    TransactionsPageController,
    TransactionPageController,
  ],
  providers: [ConnectionViews, PageGuard, PersonalDataExportService],
})
export class WebModule {}
