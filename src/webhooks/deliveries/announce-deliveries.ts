import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** Where PostgreSQL tells every instance that there is something to send. Only a hint, as for changes. */
export const DELIVERIES_CHANNEL = 'tidemark_webhook_deliveries';

/** Tells whoever sends that there is something to send to a person's endpoints, once the transaction commits. */
export async function announceDeliveries(em: EntityManager, userId: string): Promise<void> {
  await sql`select pg_notify(${DELIVERIES_CHANNEL}, ${userId})`.execute(em.getKysely());
}
