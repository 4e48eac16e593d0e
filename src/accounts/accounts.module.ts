import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ExportModule } from '../export/export.module.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { HoldingsController } from './holdings.controller.js';
import { HoldingsRepository } from './holdings.repository.js';
import { ListAnswers } from './list-answers.js';
import { RecordExport } from './record-export.js';
import { Revisions } from './revisions.js';
import { TransactionsController } from './transactions.controller.js';
import { TransactionsRepository } from './transactions.repository.js';

@Module({
  imports: [AuthModule, ExportModule],
  controllers: [AccountsController, HoldingsController, TransactionsController],
  providers: [AccountsRepository, HoldingsRepository, ListAnswers, RecordExport, Revisions, TransactionsRepository],
  exports: [AccountsRepository, HoldingsRepository, ListAnswers, RecordExport, Revisions, TransactionsRepository],
})
export class AccountsModule {}
