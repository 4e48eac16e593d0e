import { defineModule } from '../platform/module.js';
import { BackupScheduleService } from './backup-schedule.service.js';
import { BackupModule } from './backup.module.js';

export const backup = defineModule({
  name: 'backup',
  module: BackupModule,
  tasks: [
    {
      name: 'backup',
      cron: ({ backupCron }) => backupCron,
      run: (get, stopping) => get(BackupScheduleService).write(stopping),
    },
  ],
});
