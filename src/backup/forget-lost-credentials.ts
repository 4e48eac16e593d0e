import type pg from 'pg';
import { sealedTables } from '../connections/credentials/reseal-credentials.js';
import type { CredentialVault } from '../vault/credential-vault.js';

const REASON =
  'The secret that protected the credential of this connection is lost. ' +
  'Get a new credential from the provider and give it to this connection; accounts and history stay.';

/**
 * Removes credentials that none of the vault's secrets opens. Their connections ask for new ones; a second factor is
 * turned off, since no code could be checked.
 *
 * @returns how many
 */
export async function forgetLostCredentials(session: pg.Client, { keyIds }: CredentialVault): Promise<number> {
  const isLost = `credential like 'v1.%.%' and split_part(credential, '.', 2) <> all($1)`;
  const connections = await session.query(
    `update connections set credential = '', status = 'attention_required', status_reason = $2 where ${isLost}`,
    [keyIds, REASON],
  );
  const tables = await sealedTables(session);
  if (!tables.some(({ name }) => name === 'second_factors')) return connections.rowCount ?? 0;
  const { rowCount: factors } = await session.query(
    `with lost as (delete from second_factors where ${isLost} returning user_id),
     codes as (delete from recovery_codes where user_id in (select user_id from lost))
     select user_id from lost`,
    [keyIds],
  );
  return (connections.rowCount ?? 0) + (factors ?? 0);
}
