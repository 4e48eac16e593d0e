import { Module } from '@nestjs/common';
import { ScheduleModule as NestScheduleModule } from '@nestjs/schedule';
import { JobQueue } from './job-queue.js';
import { ScheduledTasks } from './scheduled-tasks.service.js';

@Module({
  imports: [NestScheduleModule.forRoot()],
  providers: [JobQueue, ScheduledTasks],
  exports: [JobQueue, ScheduledTasks],
})
export class ScheduleModule {}
