import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { Account } from './account.entity.js';
import { AccountsController } from './accounts.controller.js';
import { Holding } from '../holdings/holding.entity.js';
import { HoldingsController } from '../holdings/holdings.controller.js';
import { Revisions } from '../../http/conditional-get/revisions.js';
import { AccountRevisions } from '../../http/conditional-get/user-revisions.js';
import { TransactionsController } from '../transactions/transactions.controller.js';
import { TransactionsRepository } from '../transactions/transactions.repository.js';

/** `AccountsRepository` and `HoldingsRepository`. */
const REPOSITORIES = MikroOrmModule.forFeature([Account, Holding]);

@Module({
  imports: [AuthModule, REPOSITORIES],
  controllers: [AccountsController, HoldingsController, TransactionsController],
  providers: [{ provide: Revisions, useClass: AccountRevisions }, TransactionsRepository],
  exports: [REPOSITORIES, Revisions, TransactionsRepository],
})
export class AccountsModule {}
