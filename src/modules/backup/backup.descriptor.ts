import { defineModule } from '../../platform/module.js';
import { FORGET_LOST } from '../../platform/vault/forget-lost.js';
import { BackupScheduleService } from './backup-schedule.service.js';
import { BackupModule } from './backup.module.js';

export const backup = defineModule({
  name: 'backup',
  module: BackupModule,
  commands: {
    backup: {
      summary: 'Writes the whole database to a file. The service keeps running.',
      operand: 'FILE',
      options: { 'with-secret': { required: false } },
      run: async (values, context) => (await import('./backup.command.js')).backup(values, context),
    },
    restore: {
      summary: `Restores a backup into an empty database; --verify only tests it, in a temporary database. ${FORGET_LOST}`,
      operand: 'FILE',
      options: {
        verify: { required: false },
        'with-secret': { required: false },
        'forget-lost': { required: false },
      },
      run: async (values, context) => (await import('./backup.command.js')).restore(values, context),
    },
  },
  tasks: [
    {
      name: 'backup',
      cron: ({ backupCron }) => backupCron,
      run: (get, stopping) => get(BackupScheduleService).write(stopping),
    },
  ],
});
