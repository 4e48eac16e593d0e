import { defineModule } from '../../kit.js';

export const scale = defineModule({
  name: 'scale',
  commands: {
    distribute: {
      summary: 'Distributes the tables over the nodes of Citus, each person on one node. Safe to run again.',
      options: {},
      run: async (_, context) => (await import('./distribute.js')).distributeDatabase(context),
    },
  },
});
