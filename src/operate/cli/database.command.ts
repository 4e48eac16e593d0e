import type pg from 'pg';
import { loadAppSecrets } from '../../platform/config/app-secret.js';
import { forgetLostInUse } from '../../sync/connections/credentials/forget-lost-credentials.js';
import type { DatabaseAddress } from '../../database/address.js';
import { withPlainSession } from '../../database/plain-session.js';
import { CredentialVault } from '../../platform/vault/credential-vault.js';
import { WHAT_IS_FORGOTTEN } from '../../platform/vault/forget-lost.js';
import { countSealedWith, resealCredentials } from '../../sync/connections/credentials/reseal-credentials.js';
import type { Values } from '../../platform/command.js';
import type { CommandContext } from '../../platform/module.js';
import { readCliConfigInUse, withDatabase } from './with-database.js';

export interface RotationAnswer {
  sealed: number;
  /** Under a secret that is not in the list. */
  left: number;
  forgotten?: number;
}

/** Seals every credential with the first secret of APP_SECRET. */
export async function rotateSecrets(values: Values, { lifecycle, modules }: CommandContext): Promise<RotationAnswer> {
  const config = await readCliConfigInUse(modules);
  const vault = new CredentialVault(await loadAppSecrets(config));
  const rotate = async (address: DatabaseAddress, session: pg.Client) => {
    const { sealed } = await resealCredentials(session, vault);
    const source = { address, settings: config.database };
    const forgotten = values['forget-lost'] ? await forgetLostInUse(source, vault) : 0;
    const { [vault.keyIds[0]]: newest = 0, ...others } = await countSealedWith(session);
    const left = Object.values(others).reduce((sum, count) => sum + count, 0);
    if (forgotten > 0) process.stderr.write(`Removed ${forgotten} credentials: ${WHAT_IS_FORGOTTEN}.\n`);
    process.stderr.write(`${newest} credentials are under the newest APP_SECRET.\n`);
    if (left > 0) process.stderr.write(`${left} are under a secret that is not in the list: add it to APP_SECRET.\n`);
    return { sealed, left, ...(values['forget-lost'] && { forgotten }) };
  };
  const rotation = withDatabase('writes', config, lifecycle, (address) =>
    withPlainSession(address, config.database, (session) => rotate(address, session)),
  );
  return lifecycle.unlessStopping(rotation);
}
