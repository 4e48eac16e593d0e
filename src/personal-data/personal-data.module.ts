import { Module } from '@nestjs/common';
import { PersonalDataExportService } from './personal-data-export.service.js';

@Module({ providers: [PersonalDataExportService], exports: [PersonalDataExportService] })
export class PersonalDataModule {}
