import type { Secret } from '../../../platform/config/secret.js';
import { credentialOwner, type CredentialVault } from '../../../platform/vault/credential-vault.js';
import type { Connection, ConnectionKey } from '../connection.entity.js';

/** The columns that hold the credential of a connection. */
export function sealCredential(
  vault: CredentialVault,
  key: ConnectionKey,
  credential: Secret,
): Pick<Connection, 'credential' | 'credentialFingerprint'> {
  return {
    credential: vault.seal(credential, credentialOwner(key)),
    credentialFingerprint: vault.fingerprints(credential)[0],
  };
}
