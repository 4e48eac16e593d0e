import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BalancesModule } from '../balances/balances.module.js';
import { RelinkController } from './merge/merge-accounts.controller.js';
import { Relinks } from './merge/merge-accounts.service.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule],
  controllers: [RelinkController],
  providers: [Relinks],
  exports: [Relinks],
})
export class IngestModule {}
