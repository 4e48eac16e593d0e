import { Module } from '@nestjs/common';
import { BackupScheduleService } from './backup-schedule.service.js';

@Module({ providers: [BackupScheduleService] })
export class BackupModule {}
