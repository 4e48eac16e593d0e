import { Module } from '@nestjs/common';
import { AuthModule } from '../../../src/auth/auth.module.js';
import { ChangeLogModule } from '../../../src/change-log/change-log.module.js';
import { SavingsGoalsController } from './savings-goals.controller.js';
import { SavingsGoalsRepository } from './savings-goals.repository.js';
import { SavingsGoalsService } from './savings-goals.service.js';

@Module({
  imports: [AuthModule, ChangeLogModule],
  controllers: [SavingsGoalsController],
  providers: [SavingsGoalsRepository, SavingsGoalsService],
})
export class SavingsGoalsModule {}
