import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BalancesModule } from '../balances/balances.module.js';
import { MergeAccountsController } from './merge/merge-accounts.controller.js';
import { MergeAccountsService } from './merge/merge-accounts.service.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule],
  controllers: [MergeAccountsController],
  providers: [MergeAccountsService],
  exports: [MergeAccountsService],
})
export class IngestModule {}
