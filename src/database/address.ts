import type pg from 'pg';

/** Where the database is: a server named by URL, or the embedded one behind its socket directory. */
export type DatabaseAddress = { clientUrl: string } | { host: string; port: number; user: string; dbName: string };

/** Injection token of the {@link DatabaseAddress}. */
export const DATABASE_ADDRESS = Symbol('DatabaseAddress');

/** The same for a session that is none of MikroORM's. */
export function clientConfig(address: DatabaseAddress): pg.ClientConfig {
  if ('clientUrl' in address) return { connectionString: address.clientUrl, keepAlive: true };
  const { dbName, ...server } = address;
  return { ...server, database: dbName };
}
