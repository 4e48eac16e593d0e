import { defineModule } from '../platform/module.js';
import { BackupModule } from './backup.module.js';

export const backup = defineModule({ name: 'backup', module: BackupModule });
