import { type Configuration, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { markTransactions } from './sessions/held-session.js';

/** PostgreSQL for MikroORM; a use case that asks for a second session inside a transaction fails at once. */
export class GuardedDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config);
    markTransactions(this.connection);
  }
}
