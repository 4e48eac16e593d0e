import type pg from 'pg';
import { sealedTables } from '../connections/credentials/reseal-credentials.js';
import type { CredentialVault } from '../vault/credential-vault.js';

const REASON =
  'The secret that protected the credential of this connection is lost. ' +
  'Get a new credential from the provider and reconnect with it. Accounts and history stay.';

/**
 * Removes credentials that the vault cannot unseal. Their connections ask for new ones; second factors are turned off,
 * because no code could be verified; webhooks without a secret are disabled until they get one.
 *
 * @returns how many
 */
export async function forgetLostCredentials(session: pg.Client, { keyIds }: CredentialVault): Promise<number> {
  const isLost = `credential like 'v1.%.%' and split_part(credential, '.', 2) <> all($1)`;
  const connections = await session.query(
    `update connections set credential = '', status = 'attention_required', status_reason = $2 where ${isLost}`,
    [keyIds, REASON],
  );
  let forgotten = connections.rowCount ?? 0;
  const tables = (await sealedTables(session)).map(({ name }) => name);
  if (tables.includes('second_factors')) {
    const { rowCount } = await session.query(
      `with lost as (delete from second_factors where ${isLost} returning user_id),
       codes as (delete from recovery_codes where user_id in (select user_id from lost))
       select user_id from lost`,
      [keyIds],
    );
    forgotten += rowCount ?? 0;
  }
  if (tables.includes('webhook_secrets')) {
    const { rowCount } = await session.query(`delete from webhook_secrets where ${isLost}`, [keyIds]);
    forgotten += rowCount ?? 0;
    await session.query(`
      update webhook_endpoints e set status = 'disabled', disabled_reason = 'secret_lost', disabled_at = now()
      where not exists (
        select 1 from webhook_secrets s where s.user_id = e.user_id and s.endpoint_id = e.id and s.expires_at is null
      )`);
  }
  return forgotten;
}
