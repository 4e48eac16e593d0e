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
import { NetWorthController } from './net-worth.controller.js';
import { NetWorthRepository } from './net-worth.repository.js';
import { ReconciliationController } from './reconciliation.controller.js';
import { Reconciliations } from './reconciliations.service.js';
import { WorthRepository } from './worth.repository.js';

@Module({
  imports: [AccountsModule, AuthModule],
  controllers: [BalancesController, EditAccountController, NetWorthController, ReconciliationController],
  providers: [
    ...[AccountEdits, AccountSeriesRepository, BalanceSpans, BalancesRepository, HistoryRebuild, NetWorthRepository],
    ...[Reconciliations, WorthRepository],
  ],
  exports: [
    ...[AccountEdits, AccountSeriesRepository, BalancesRepository, HistoryRebuild, Reconciliations, WorthRepository],
  ],
})
export class BalancesModule {}
