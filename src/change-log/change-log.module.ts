import { Module } from '@nestjs/common';
import { ChangeLog } from './change-log.js';
import { ListReads } from './list-reads.js';

@Module({ providers: [ChangeLog, ListReads], exports: [ChangeLog, ListReads] })
export class ChangeLogModule {}
