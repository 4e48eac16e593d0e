import { Module } from '@nestjs/common';
import { AccountsModule } from '../../balances/accounts/accounts.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { BalancesModule } from '../../balances/balances.module.js';
import { SyncModule } from '../../sync/sync.module.js';
import { McpController } from './mcp.controller.js';
import { McpToolsService } from './mcp-tools.service.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule, SyncModule],
  controllers: [McpController],
  providers: [McpToolsService],
})
export class McpModule {}
