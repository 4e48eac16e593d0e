import type pg from 'pg';

/** A server named by URL. With a direct one, the other leads to a pooler that shares sessions between transactions. */
export interface ServerAddress {
  clientUrl: string;
  directUrl?: string;
}

/** Where the database is: a server, or the embedded one behind its socket directory. */
export type DatabaseAddress = ServerAddress | { host: string; port: number; user: string; dbName: string };

/** Injection token of the {@link DatabaseAddress}. */
export const DATABASE_ADDRESS = Symbol('DatabaseAddress');

/** For all that needs a session of its own: migrations, the listener, the job queue, backups. */
export function directAddress(address: DatabaseAddress): DatabaseAddress {
  return 'clientUrl' in address ? { clientUrl: address.directUrl ?? address.clientUrl } : address;
}

/** Whether statements outside of a transaction may each go to another session of the server. */
export function sharesSessions(address: DatabaseAddress): boolean {
  return 'clientUrl' in address && address.directUrl !== undefined;
}

/** The same for a session that is none of MikroORM's. */
export function clientConfig(address: DatabaseAddress): pg.ClientConfig {
  if ('clientUrl' in address) return { connectionString: address.clientUrl, keepAlive: true };
  const { dbName, ...server } = address;
  return { ...server, database: dbName };
}
