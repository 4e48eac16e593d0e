import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { AccountEdits } from './edit-account/account-edits.service.js';
import { AccountSeriesRepository } from './record/account-series.repository.js';
import { BalanceSpans } from './record/balance-spans.js';
import { BalancesController } from './record/balances.controller.js';
import { BalancesRepository } from './record/balances.repository.js';
import { EditAccountController } from './edit-account/edit-account.controller.js';
import { HistoryRebuild } from './history/history-rebuild.js';
import { AccountSamplesRepository } from './net-worth/account-samples.repository.js';
import { NetWorthController } from './net-worth/net-worth.controller.js';
import { NetWorthRepository } from './net-worth/net-worth.repository.js';
import { NetWorthService } from './net-worth/net-worth.service.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { Reconciliations } from './reconciliation/reconciliations.service.js';

@Module({
  imports: [AccountsModule, AuthModule],
  controllers: [BalancesController, EditAccountController, NetWorthController, ReconciliationController],
  providers: [
    AccountEdits,
    AccountSamplesRepository,
    AccountSeriesRepository,
    BalanceSpans,
    BalancesRepository,
    HistoryRebuild,
    NetWorthRepository,
    NetWorthService,
    Reconciliations,
  ],
  exports: [
    AccountEdits,
    AccountSamplesRepository,
    AccountSeriesRepository,
    BalancesRepository,
    HistoryRebuild,
    NetWorthService,
    Reconciliations,
  ],
})
export class BalancesModule {}
