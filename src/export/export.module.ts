import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DataExport } from './data-export.js';
import { ExportsService } from './exports.service.js';

@Module({
  imports: [AuthModule],
  providers: [DataExport, ExportsService],
  exports: [DataExport, ExportsService],
})
export class ExportModule {}
