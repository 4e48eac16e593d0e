/**
 * What operators' modules, such as backup and Citus, may import beside src/kit.ts: sessions of their own, the schema, the
 * secrets, and what a command needs. Unlike the kit it opens what lies below, and changes with it.
 */

// Commands.

/** The environment for a command about what is stored. @example const config = await readCliConfigInUse(modules) */
export { readCliConfigInUse, withDatabase } from '../operate/cli/with-database.js';
export type { Lifecycle } from '../platform/lifecycle.js';

// Sessions.

/** A session with limits of its own. @example withPlainSession(address, settings, (session) => …, 'migration') */
export { withPlainSession } from '../database/plain-session.js';
/** @example await waitUntil(isAlone, 3_000, 100) */
export { waitUntil } from '../database/wait-until.js';
