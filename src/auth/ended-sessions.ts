import type { EntityManager } from '@mikro-orm/postgresql';
import { notify } from '../database/notify.js';

/** The PostgreSQL channel for ended sessions. The payload is the user's id. */
export const SESSIONS_CHANNEL = 'tidemark_sessions';

/** Notifies all instances that sessions of a person have ended, once the transaction of `em` commits. */
export async function notifyEndedSessions(em: EntityManager, userId: string): Promise<void> {
  await notify(em, SESSIONS_CHANNEL, userId);
}
