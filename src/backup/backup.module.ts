import { Module } from '@nestjs/common';
import { ScheduleModule } from '../schedule/schedule.module.js';
import { BackupScheduleService } from './backup-schedule.service.js';

@Module({ imports: [ScheduleModule], providers: [BackupScheduleService] })
export class BackupModule {}
