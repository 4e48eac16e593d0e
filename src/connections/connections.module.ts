import { Module } from '@nestjs/common';
import { ClaimLocksService } from './credentials/claim-locks.service.js';
import { SingleUseClaimsService } from './credentials/single-use-claims.service.js';
import { RequestBudgetService } from './request-budget.service.js';

@Module({
  providers: [ClaimLocksService, SingleUseClaimsService, RequestBudgetService],
  exports: [SingleUseClaimsService, RequestBudgetService],
})
export class ConnectionsModule {}
