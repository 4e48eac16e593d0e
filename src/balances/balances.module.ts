import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { AccountEdits } from './account-edits.service.js';
import { AccountSeriesRepository } from './account-series.repository.js';
import { BalanceSpans } from './balance-spans.js';
import { BalancesController } from './balances.controller.js';
import { BalancesRepository } from './balances.repository.js';
import { EditAccountController } from './edit-account.controller.js';
import { HistoryRebuild } from './history-rebuild.js';
import { AccountSamplesRepository } from './net-worth/account-samples.repository.js';
import { NetWorthController } from './net-worth/net-worth.controller.js';
import { NetWorthRepository } from './net-worth/net-worth.repository.js';
import { NetWorthService } from './net-worth/net-worth.service.js';
import { ReconciliationController } from './reconciliation.controller.js';
import { Reconciliations } from './reconciliations.service.js';

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
