import { readConfig } from './src/platform/config/config.js';
import { MODULES, ROOMS } from './src/modules.js';
import { entitiesOf } from './src/platform/module.js';
import { ormOptions } from './src/database/orm-options.js';

const { databaseUrl, database } = readConfig([], []);

/** For MikroORM's own CLI, against the server in DATABASE_URL. */
export default ormOptions({ clientUrl: databaseUrl ?? 'postgresql:///tidemark' }, database, {
  entities: entitiesOf([...ROOMS, ...MODULES]),
});
