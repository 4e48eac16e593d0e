import { Module } from '@nestjs/common';
import { Replica } from '../database/replica.js';
import { ChangeLog } from './change-log.js';
import { ListReads } from './list-reads.js';

@Module({ providers: [ChangeLog, ListReads, Replica], exports: [ChangeLog, ListReads] })
export class ChangeLogModule {}
