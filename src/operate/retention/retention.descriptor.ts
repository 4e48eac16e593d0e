import type { Part } from '../../platform/module.js';
import { RetentionModule } from './retention.module.js';
import { RetentionService } from './retention.service.js';

/** In UTC. A machine that is off at night makes up for it in the day. */
const EVERY_NIGHT = '41 2-23 * * *';

export const retention: Part = {
  name: 'retention',
  module: RetentionModule,
  tasks: [
    {
      name: 'retention',
      cron: () => EVERY_NIGHT,
      isDaily: true,
      run: (get, stopping) => get(RetentionService).run(stopping),
    },
  ],
};
