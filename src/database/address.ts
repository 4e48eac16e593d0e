import type pg from 'pg';
import type { DatabaseSettings } from '../platform/config/database-settings.js';

/** A server with a URL. If there is a direct URL, the other is that of a pooler that shares sessions. */
interface ServerAddress {
  clientUrl: string;
  directUrl?: string;
}

/** A server, or the socket directory of the embedded one. */
export type DatabaseAddress = ServerAddress | { host: string; port: number; user: string; dbName: string };

/** A database, and how it is used. */
export interface Source {
  address: DatabaseAddress;
  settings: DatabaseSettings;
}

/** Injection token of the {@link DatabaseAddress}. */
export const DATABASE_ADDRESS = Symbol('DatabaseAddress');

/** For work that needs a session of its own: migrations, the listener, the job queue, backups. */
export function directAddress(address: DatabaseAddress): DatabaseAddress {
  return 'clientUrl' in address ? { clientUrl: address.directUrl ?? address.clientUrl } : address;
}

/** Whether each statement outside a transaction may go to another session of the server. */
export function sharesSessions(address: DatabaseAddress): boolean {
  return 'clientUrl' in address && address.directUrl !== undefined;
}

/** Modes that pg takes for `verify-full`, with a warning that a later version of it will not. */
const VERIFIED_MODE = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** How sessions of Tidemark are named in `pg_stat_activity`; some say more after it. */
export const SESSION_NAME = 'tidemark';

/** Where a session goes: the same for all that the process opens. */
export function clientConfig(address: DatabaseAddress): pg.ClientConfig {
  if ('clientUrl' in address) {
    const { clientUrl: url } = address;
    const asksForLess = /[?&]uselibpqcompat=true/.test(url);
    const connectionString = asksForLess ? url : url.replace(VERIFIED_MODE, '$1verify-full');
    return { connectionString, fallback_application_name: SESSION_NAME, keepAlive: true };
  }
  const { dbName, ...server } = address;
  // PGSSLMODE and PGOPTIONS of the environment are about other servers: nothing is encrypted on a socket. To pg, an empty
  // text would be no options.
  return { ...server, database: dbName, application_name: SESSION_NAME, ssl: false, options: ' ' };
}
