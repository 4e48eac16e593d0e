import { Module } from '@nestjs/common';
import { RequestBudgetService } from './request-budget.service.js';

@Module({
  providers: [RequestBudgetService],
  exports: [RequestBudgetService],
})
export class ConnectionsModule {}
