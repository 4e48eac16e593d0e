import type { DatabaseConnection, QueryResult } from 'kysely';

const NOTHING: QueryResult<never> = { rows: [] };

/**
 * Lets a transaction end whose session is gone, because PostgreSQL restarted or gave it up. Rolling back fails then, and
 * Kysely would keep the connection for ever: after some such moments the pool would be empty and everything stand still.
 * PostgreSQL has rolled back already, and the pool throws a broken connection away.
 */
export function endLostTransactions(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = <R>(...call: Parameters<DatabaseConnection['executeQuery']>) =>
    execute<R>(...call).catch((error: unknown) => {
      if (call[0].sql === 'rollback') return NOTHING;
      throw error;
    });
}
