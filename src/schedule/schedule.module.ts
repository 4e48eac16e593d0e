import { Module } from '@nestjs/common';
import { ScheduleModule as NestScheduleModule } from '@nestjs/schedule';
import { ScheduledTasks } from './scheduled-tasks.service.js';

@Module({ imports: [NestScheduleModule.forRoot()], providers: [ScheduledTasks], exports: [ScheduledTasks] })
export class ScheduleModule {}
