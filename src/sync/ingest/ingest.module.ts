import { Module } from '@nestjs/common';
import { AccountsModule } from '../../balances/accounts/accounts.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { BalancesModule } from '../../balances/balances.module.js';
import { DeleteAccountController, RestoreAccountController } from './delete-account/delete-account.controller.js';
import { DeleteAccountService } from './delete-account/delete-account.service.js';
import { IngestAccountService } from './ingest-account.service.js';
import { MergeAccountsController } from './merge/merge-accounts.controller.js';
import { MergeAccountsService } from './merge/merge-accounts.service.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule],
  controllers: [DeleteAccountController, RestoreAccountController, MergeAccountsController],
  providers: [DeleteAccountService, IngestAccountService, MergeAccountsService],
  exports: [DeleteAccountService, IngestAccountService, MergeAccountsService],
})
export class IngestModule {}
