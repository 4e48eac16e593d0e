import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { EditAccountService } from './edit-account/edit-account.service.js';
import { Balance } from './record/balance.entity.js';
import { BalanceRangeIndex } from './record/balance-range-index.js';
import { BalancesController } from './record/balances.controller.js';
import { BalancesRepository } from './record/balances.repository.js';
import { EditAccountController } from './edit-account/edit-account.controller.js';
import { BalanceVersionsRepository } from './record/balance-versions.repository.js';
import { ChangeFactsService } from './own-knowledge/change-facts.service.js';
import { CorrectionsController } from './own-knowledge/corrections.controller.js';
import { CorrectionsService } from './own-knowledge/corrections.service.js';
import { ImportedListsService } from './own-knowledge/imported-lists.service.js';
import { OwnAccountsController } from './own-knowledge/own-accounts.controller.js';
import { OwnAccountsService } from './own-knowledge/own-accounts.service.js';
import { StatementsController } from './own-knowledge/statements.controller.js';
import { StatementsService } from './own-knowledge/statements.service.js';
import { HistoryRebuildService } from './history/history-rebuild.service.js';
import { NetWorthChangesService } from './net-worth/net-worth-changes.service.js';
import { NetWorthController } from './net-worth/net-worth.controller.js';
import { NetWorthRepository } from './net-worth/net-worth.repository.js';
import { NetWorthRevisions } from '../http/conditional-get/user-revisions.js';
import { NetWorthService } from './net-worth/net-worth.service.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';

/** `AccountSeriesRepository`. */
const BALANCES = MikroOrmModule.forFeature([Balance]);

@Module({
  imports: [AccountsModule, AuthModule, BALANCES],
  controllers: [
    BalancesController,
    CorrectionsController,
    EditAccountController,
    NetWorthController,
    OwnAccountsController,
    ReconciliationController,
    StatementsController,
  ],
  providers: [
    ChangeFactsService,
    CorrectionsService,
    ImportedListsService,
    OwnAccountsService,
    StatementsService,
    EditAccountService,
    BalanceRangeIndex,
    BalancesRepository,
    BalanceVersionsRepository,
    HistoryRebuildService,
    NetWorthChangesService,
    NetWorthRepository,
    NetWorthRevisions,
    NetWorthService,
    ReconciliationService,
  ],
  exports: [
    ChangeFactsService,
    CorrectionsService,
    ImportedListsService,
    OwnAccountsService,
    StatementsService,
    EditAccountService,
    BALANCES,
    BalancesRepository,
    BalanceVersionsRepository,
    HistoryRebuildService,
    NetWorthChangesService,
    NetWorthService,
    ReconciliationService,
  ],
})
export class BalancesModule {}
