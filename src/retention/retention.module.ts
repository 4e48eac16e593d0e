import { Module } from '@nestjs/common';
import { ScheduleModule } from '../schedule/schedule.module.js';
import { RetentionService } from './retention.service.js';

@Module({ imports: [ScheduleModule], providers: [RetentionService] })
export class RetentionModule {}
