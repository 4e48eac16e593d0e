import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { AppSecrets } from '../../src/platform/config/app-secret.js';
import { Secret } from '../../src/platform/config/secret.js';
import { credentialOwner, CredentialVault } from '../../src/platform/vault/credential-vault.js';

/** Connections that are due, each of a person of its own, which ask for so many days of history. */
export async function createConnections(
  client: pg.Client,
  { count, accessUrl, days }: { count: number; accessUrl: string; days: number },
): Promise<void> {
  const vault = new CredentialVault(new AppSecrets([new Secret('the root secret of the benches')]));
  const rows = Array.from({ length: count }, () => {
    const [userId, id] = [randomUUID(), randomUUID()];
    return { user_id: userId, id, credential: vault.seal(new Secret(accessUrl), credentialOwner({ userId, id })) };
  });
  await client.query(
    `with row as (select * from jsonb_to_recordset($1) as row (user_id uuid, id uuid, credential text)),
     person as (insert into users (id, email, password_hash) select user_id, user_id, '' from row)
     insert into connections (user_id, id, provider, name, credential, credential_fingerprint, history_days)
     select user_id, id, 'us_provider', 'Bench', credential, id, $2 from row`,
    [JSON.stringify(rows), days],
  );
}

export async function makeDue(client: pg.Client): Promise<void> {
  await client.query('delete from sync_runs');
  await client.query('update connections set next_sync_at = null');
}

/** Everybody, with all they have. */
export async function forget(client: pg.Client): Promise<void> {
  await client.query('delete from users');
}
