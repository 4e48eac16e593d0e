import { Module } from '@nestjs/common';
import { Replica } from '../database/replica.js';
import { ChangeLog } from './change-log.js';
import { ListReads } from './list-reads.js';
import { ServerTimelineService } from './server-timeline.service.js';

@Module({ providers: [ChangeLog, ListReads, Replica, ServerTimelineService], exports: [ChangeLog, ListReads] })
export class ChangeLogModule {}
