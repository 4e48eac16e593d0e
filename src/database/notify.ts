import type { EntityManager } from '@mikro-orm/postgresql';

/** Sends a message to the `DatabaseListener` of every instance when the transaction of `em` commits. */
export async function notify(em: EntityManager, channel: string, message = ''): Promise<void> {
  await em
    .getKysely()
    .selectNoFrom((eb) => eb.fn('pg_notify', [eb.val(channel), eb.val(message)]).as('sent'))
    .execute();
}
