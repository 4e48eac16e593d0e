import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BalanceSpans } from './balance-spans.js';
import { BalancesController } from './balances.controller.js';
import { BalancesRepository } from './balances.repository.js';
import { EditAccountController } from './edit-account.controller.js';
import { HistoryRebuild } from './history-rebuild.js';

@Module({
  imports: [AccountsModule, AuthModule],
  controllers: [BalancesController, EditAccountController],
  providers: [BalanceSpans, BalancesRepository, HistoryRebuild],
  exports: [HistoryRebuild],
})
export class BalancesModule {}
