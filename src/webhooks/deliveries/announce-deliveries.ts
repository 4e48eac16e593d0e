import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** The PostgreSQL channel for new deliveries. Only a hint: workers also poll. */
export const DELIVERIES_CHANNEL = 'tidemark_webhook_deliveries';

/**
 * Notifies the workers of all instances of new deliveries of a person when the transaction commits. Raw, because no
 * table is involved.
 */
export async function announceDeliveries(em: EntityManager, userId: string): Promise<void> {
  await sql`select pg_notify(${DELIVERIES_CHANNEL}, ${userId})`.execute(em.getKysely());
}
