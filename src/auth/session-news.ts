import type { EntityManager } from '@mikro-orm/postgresql';

/** The PostgreSQL channel for ended sessions. The payload is the user's id. */
export const SESSIONS_CHANNEL = 'tidemark_sessions';

/** Tells all instances that sessions of a person have ended, once the transaction of `em` commits. */
export async function announceEndedSessions(em: EntityManager, userId: string): Promise<void> {
  await em
    .getKysely()
    .selectNoFrom((eb) => eb.fn('pg_notify', [eb.val(SESSIONS_CHANNEL), eb.val(userId)]).as('sent'))
    .execute();
}
