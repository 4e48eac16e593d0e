import { defineModule } from '../../platform/module.js';

export const scale = defineModule({
  name: 'scale',
  commands: {
    distribute: {
      summary: 'Distributes the tables over the nodes of Citus, each person on one node. Safe to run again.',
      options: {},
      run: async (_, { lifecycle }) => (await import('./distribute.command.js')).distributeDatabase(lifecycle),
    },
  },
});
