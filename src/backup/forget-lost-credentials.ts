import type pg from 'pg';
import type { CredentialVault } from '../vault/credential-vault.js';

const REASON =
  'The secret that protected the credential of this connection is lost. ' +
  'Get a new credential from the provider and give it to this connection; accounts and history stay.';

/**
 * Removes credentials that none of the vault's secrets opens. Their connections ask for new ones.
 *
 * @returns how many
 */
export async function forgetLostCredentials(session: pg.ClientBase, { keyIds }: CredentialVault): Promise<number> {
  const { rowCount } = await session.query(
    `update connections set credential = '', status = 'attention_required', status_reason = $2
     where credential like 'v1.%.%' and split_part(credential, '.', 2) <> all($1)`,
    [keyIds, REASON],
  );
  return rowCount ?? 0;
}
