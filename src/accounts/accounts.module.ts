import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { TransactionsController } from './transactions.controller.js';
import { TransactionsRepository } from './transactions.repository.js';

@Module({
  imports: [AuthModule],
  controllers: [AccountsController, TransactionsController],
  providers: [AccountsRepository, TransactionsRepository],
  exports: [AccountsRepository],
})
export class AccountsModule {}
