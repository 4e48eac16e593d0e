import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BalancesModule } from '../balances/balances.module.js';
import { IngestAccountService } from './ingest-account.service.js';
import { IngestTransactionsService } from './ingest-transactions.service.js';
import { MergeAccountsController } from './merge/merge-accounts.controller.js';
import { MergeAccountsService } from './merge/merge-accounts.service.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule],
  controllers: [MergeAccountsController],
  providers: [IngestAccountService, IngestTransactionsService, MergeAccountsService],
  exports: [IngestAccountService, MergeAccountsService],
})
export class IngestModule {}
