import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { noteChanges } from '../../../database/change-log/note-changes.js';
import { sealedTables, type Statements } from './reseal-credentials.js';
import { directAddress } from '../../../database/address.js';
import { ormOptions } from '../../../database/orm-options.js';
import { usingSessionsFor } from '../../../database/sessions/bounded-client.js';
import type { CredentialVault } from '../../../platform/vault/credential-vault.js';
import type { Source } from '../../../database/address.js';

const REASON =
  'The secret that protected the credential of this connection is lost. ' +
  'Get a new credential from the provider and reconnect with it. Accounts and history stay.';

interface Forgotten {
  /** Credentials, second factors and secrets of modules together. */
  count: number;
  connections: { user_id: string; id: string; wasActive: boolean }[];
}

/**
 * Removes credentials that the vault cannot unseal. Their connections ask for new ones; second factors are turned off,
 * because no code could be verified; what follows for those of modules, their descriptors say. Raw, because the schema of a
 * backup may be older.
 */
export async function forgetLostCredentials(session: Statements, { keyIds }: CredentialVault): Promise<Forgotten> {
  const isLost = `credential like 'v1.%.%' and split_part(credential, '.', 2) <> all($1)`;
  const connections: Forgotten['connections'] = [];
  for (const status of ['active', 'attention_required']) {
    const { rows } = await session.query<{ user_id: string; id: string }>(
      `update connections set credential = '', status = 'attention_required', status_reason = $2
       where ${isLost} and status = $3 returning user_id, id`,
      [keyIds, REASON, status],
    );
    connections.push(...rows.map((row) => ({ ...row, wasActive: status === 'active' })));
  }
  let count = connections.length;
  for (const { table, afterLoss } of await sealedTables(session)) {
    if (table === 'connections') continue;
    const { rows } = await session.query<{ user_id: string }>(
      `delete from ${table} where ${isLost} returning user_id`,
      [keyIds],
    );
    count += rows.length;
    if (table === 'second_factors') {
      const people = rows.map((row) => row.user_id);
      await session.query('delete from recovery_codes where user_id = any($1::uuid[])', [people]);
    }
    if (afterLoss) await session.query(afterLoss);
  }
  return { count, connections };
}

/**
 * Removes the lost credentials of a database in use. Unlike after a restore, which advances all revisions, somebody follows
 * the lists: the changes are noted.
 *
 * @returns how many
 */
export async function forgetLostInUse({ address, settings }: Source, vault: CredentialVault): Promise<number> {
  const orm = await MikroORM.init(ormOptions(directAddress(address), settings));
  const forget = async (em: EntityManager) => {
    const kysely = em.getKysely();
    const query = <Row>(text: string, values: unknown[] = []) =>
      kysely.executeQuery<Row>(CompiledQuery.raw(text, values));
    const { count, connections } = await forgetLostCredentials({ query }, vault);
    for (const { user_id: userId, id, wasActive } of connections) {
      const event = wasActive ? ({ event: 'connection.attention_required' } as const) : {};
      noteChanges(userId, { kind: 'connections' }, { kind: 'connections', ids: [id], ...event });
    }
    return count;
  };
  try {
    return await usingSessionsFor('background', () => orm.em.transactional(forget));
  } finally {
    await orm.close(true);
  }
}
