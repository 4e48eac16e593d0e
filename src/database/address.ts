/** Where the database is: a server named by URL, or the embedded one behind its socket directory. */
export type DatabaseAddress = { clientUrl: string } | { host: string; port: number; user: string; dbName: string };

/** Injection token of the {@link DatabaseAddress}. */
export const DATABASE_ADDRESS = Symbol('DatabaseAddress');
