import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { EditAccountService } from './edit-account/edit-account.service.js';
import { AccountSeriesRepository } from './record/account-series.repository.js';
import { BalanceRangeIndex } from './record/balance-range-index.js';
import { BalancesController } from './record/balances.controller.js';
import { BalancesRepository } from './record/balances.repository.js';
import { EditAccountController } from './edit-account/edit-account.controller.js';
import { BalanceVersionsRepository } from './record/balance-versions.repository.js';
import { HistoryRebuildService } from './history/history-rebuild.service.js';
import { NetWorthController } from './net-worth/net-worth.controller.js';
import { NetWorthRepository } from './net-worth/net-worth.repository.js';
import { NetWorthRevisions } from '../change-log/user-revisions.js';
import { NetWorthService } from './net-worth/net-worth.service.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';

@Module({
  imports: [AccountsModule, AuthModule],
  controllers: [BalancesController, EditAccountController, NetWorthController, ReconciliationController],
  providers: [
    EditAccountService,
    AccountSeriesRepository,
    BalanceRangeIndex,
    BalancesRepository,
    BalanceVersionsRepository,
    HistoryRebuildService,
    NetWorthRepository,
    NetWorthRevisions,
    NetWorthService,
    ReconciliationService,
  ],
  exports: [
    EditAccountService,
    AccountSeriesRepository,
    BalancesRepository,
    BalanceVersionsRepository,
    HistoryRebuildService,
    NetWorthService,
    ReconciliationService,
  ],
})
export class BalancesModule {}
