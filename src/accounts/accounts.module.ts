import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ChangeLogModule } from '../change-log/change-log.module.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { HoldingsController } from './holdings/holdings.controller.js';
import { HoldingsRepository } from './holdings/holdings.repository.js';
import { Revisions } from '../http/conditional-get/revisions.js';
import { AccountRevisions } from '../change-log/user-revisions.js';
import { TransactionsController } from './transactions/transactions.controller.js';
import { TransactionsRepository } from './transactions/transactions.repository.js';

@Module({
  imports: [AuthModule, ChangeLogModule],
  controllers: [AccountsController, HoldingsController, TransactionsController],
  providers: [
    AccountsRepository,
    HoldingsRepository,
    { provide: Revisions, useClass: AccountRevisions },
    TransactionsRepository,
  ],
  exports: [AccountsRepository, HoldingsRepository, Revisions, TransactionsRepository],
})
export class AccountsModule {}
