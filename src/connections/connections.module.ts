import { Module } from '@nestjs/common';
import { CredentialVault } from './credentials/credential-vault.js';
import { ClaimedCredentials } from './credentials/single-use-claims.js';
import { ManualSyncLimit } from './request-budget/manual-sync-limit.js';

@Module({
  providers: [ClaimedCredentials, CredentialVault, ManualSyncLimit],
  exports: [ClaimedCredentials, CredentialVault, ManualSyncLimit],
})
export class ConnectionsModule {}
