import { Module } from '@nestjs/common';
import { defineModule, settingsOf } from '../../kit.js';
import { FORGET_LOST, ObservabilityModule } from '../../kit/operate.js';
import { BACKUP_SETTINGS, BackupSchedule, checkBackups } from './backup-schedule.js';

@Module({ imports: [ObservabilityModule], providers: [BackupSchedule] })
class BackupModule {}

export const backup = defineModule({
  name: 'backup',
  module: BackupModule,
  settings: BACKUP_SETTINGS,
  checks: checkBackups,
  commands: {
    backup: {
      summary: 'Writes the whole database to a file. The service keeps running.',
      operand: 'FILE',
      options: { 'with-secret': { required: false } },
      run: async (values, context) => (await import('./backup.commands.js')).backup(values, context),
    },
    restore: {
      summary: `Restores a backup into an empty database; --verify only tests it, in a temporary database. ${FORGET_LOST}`,
      operand: 'FILE',
      options: {
        verify: { required: false },
        'with-secret': { required: false },
        'forget-lost': { required: false },
      },
      run: async (values, context) => (await import('./backup.commands.js')).restore(values, context),
    },
  },
  tasks: [
    {
      name: 'backup',
      cron: (config) => settingsOf(config, BACKUP_SETTINGS).BACKUP_CRON,
      run: (get, stopping) => get(BackupSchedule).write(stopping),
    },
  ],
});
