import { Module } from '@nestjs/common';
import { ClaimLocksService } from './credentials/claim-locks.service.js';
import { SingleUseClaimsService } from './credentials/single-use-claims.service.js';
import { ManualSyncLimitService } from './request-budget/manual-sync-limit.service.js';

@Module({
  providers: [ClaimLocksService, SingleUseClaimsService, ManualSyncLimitService],
  exports: [SingleUseClaimsService, ManualSyncLimitService],
})
export class ConnectionsModule {}
