import { Module } from '@nestjs/common';
import { AccountsModule } from '../../balances/accounts/accounts.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { BalancesModule } from '../../balances/balances.module.js';
import { SyncModule } from '../sync.module.js';
import { ChangeFeedController } from './change-feed.controller.js';
import { ChangeFeedService } from './change-feed.service.js';
import { ChangedPartsQueries } from './changed-parts.queries.js';
import { PartReader } from './part-reader.js';

@Module({
  imports: [AccountsModule, AuthModule, BalancesModule, SyncModule],
  controllers: [ChangeFeedController],
  providers: [ChangeFeedService, ChangedPartsQueries, PartReader],
})
export class ChangeFeedModule {}
