import { Module } from '@nestjs/common';
import { ChangeLog } from './change-log.js';

@Module({ providers: [ChangeLog], exports: [ChangeLog] })
export class ChangeLogModule {}
