import { Module } from '@nestjs/common';
import { CredentialVault } from './credentials/credential-vault.js';
import { SingleUseClaimsService } from './credentials/single-use-claims.service.js';
import { ManualSyncLimitService } from './request-budget/manual-sync-limit.service.js';

@Module({
  providers: [SingleUseClaimsService, CredentialVault, ManualSyncLimitService],
  exports: [SingleUseClaimsService, CredentialVault, ManualSyncLimitService],
})
export class ConnectionsModule {}
