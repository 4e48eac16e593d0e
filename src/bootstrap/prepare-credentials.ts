import type pg from 'pg';
import type { AppSecrets } from '../config/app-secret.js';
import { StartupError } from '../config/startup-error.js';
import { CredentialVault } from '../vault/credential-vault.js';
import { countLost, countSealedWith, resealCredentials } from '../connections/credentials/reseal-credentials.js';

/**
 * Reseals the stored credentials with the newest secret of APP_SECRET.
 *
 * @returns how many
 * @throws StartupError when no secret unseals some of the credentials, because their syncs would fail
 */
export async function prepareCredentials(session: pg.ClientBase, secrets: AppSecrets): Promise<number> {
  const vault = new CredentialVault(secrets);
  const sealedWith = await countSealedWith(session);
  const lost = countLost(sealedWith, vault);
  if (lost > 0) throw new StartupError(secretsDoNotFit(lost));
  const isAllNewest = Object.keys(sealedWith).every((keyId) => keyId === vault.keyIds[0]);
  return isAllNewest ? 0 : (await resealCredentials(session, vault)).sealed;
}

function secretsDoNotFit(lost: number): string {
  return (
    `The APP_SECRET does not fit this database: ${lost} stored credentials were sealed with another one; ` +
    'set APP_SECRET to it, or to a list "new,old" with it, or, if it is lost, run `secrets:rotate --forget-lost`.'
  );
}
