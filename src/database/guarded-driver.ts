import { type Configuration, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { markTransactions } from './sessions/held-session.js';

/** MikroORM's driver, with transactions that refuse a second session. */
export class GuardedDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config);
    markTransactions(this.connection);
  }
}
