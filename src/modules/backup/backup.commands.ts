import { resolve } from 'node:path';
import { type CommandContext, RefusedError, type Values } from '../../kit.js';
import {
  type AppSecrets,
  CredentialVault,
  FORGET_LOST,
  loadAppSecrets,
  readCliConfig,
  readCliConfigInUse,
  readNewSecret,
  readSecret,
  requireFit,
  secretsOf,
  withDatabase,
  withPlainSession,
} from '../../kit/operate.js';
import { type BackupFile, BackupRefusedError, type Manifest, openBackupFile } from './backup-file.js';
import { createBackup } from './create-backup.js';
import { restoreBackup, type RestoreOptions } from './restore-backup.js';
import { MIN_PASSPHRASE_CHARS, openSecrets, type SealedSecret, sealSecrets } from './sealed-secret.js';
import { verifyBackup } from './verify-backup.js';

export async function backup({ FILE = '', ...flags }: Values, { lifecycle, modules }: CommandContext): Promise<object> {
  const config = await readCliConfigInUse(modules);
  const path = resolve(FILE);
  const secrets = await loadAppSecrets(config, false);
  const vault = new CredentialVault(secrets);
  return withDatabase('reads', config, lifecycle, async (address) => {
    const source = { address, settings: config.database };
    let secret: SealedSecret | null = null;
    if (flags['with-secret']) {
      // A secret that opens nothing would be missed at the restore.
      await withPlainSession(address, config.database, (session) => requireFit(session, vault));
      secret = await sealWithPassphrase(secrets, lifecycle.stopping);
    }
    const { bytes, manifest } = await createBackup(source, path, vault, secret, lifecycle.stopping);
    return { file: path, bytes, ...describe(manifest) };
  });
}

export async function restore(
  { FILE = '', ...flags }: Values,
  { lifecycle, modules }: CommandContext,
): Promise<object> {
  const config = readCliConfig(modules);
  const file = await openBackupFile(resolve(FILE));
  const options: RestoreOptions = {
    secrets: await loadAppSecrets(config),
    backupSecrets: flags['with-secret'] ? await openWithPassphrase(file, lifecycle.stopping) : null,
    forgetLost: flags['forget-lost'] !== undefined,
    modules,
  };
  return withDatabase(flags.verify ? 'reads' : 'writes', config, lifecycle, async (address) => {
    const source = { address, settings: config.database };
    const answer = { file: file.path, ...describe(file.manifest) };
    if (flags.verify) {
      await verifyBackup(source, file, options, lifecycle.stopping);
      return { ...answer, verified: true };
    }
    for (const table of await restoreBackup(source, file, options, lifecycle.stopping)) {
      process.stderr.write(`Skipped the table ${table}: it does not belong to Tidemark.\n`);
    }
    if (options.forgetLost) process.stderr.write(`${FORGET_LOST}\n`);
    return answer;
  });
}

function describe({ createdAt, program, migrations, tables, secret }: Manifest): object {
  return {
    created_at: createdAt,
    program,
    migration: migrations.at(-1),
    with_secret: secret !== null,
    tables: tables.map(({ name, rows, digest }) => ({ name, rows, digest })),
  };
}

async function sealWithPassphrase(secrets: AppSecrets, stopping: AbortSignal): Promise<SealedSecret> {
  const passphrase = await readNewSecret('Passphrase for the secret', stopping);
  if (passphrase.length < MIN_PASSPHRASE_CHARS) {
    throw new RefusedError(`The passphrase must have at least ${MIN_PASSPHRASE_CHARS} characters.`);
  }
  return sealSecrets(
    secrets.newestFirst.map((each) => each.reveal()),
    passphrase,
  );
}

async function openWithPassphrase(
  { path, manifest: { secret } }: BackupFile,
  stopping: AbortSignal,
): Promise<AppSecrets> {
  if (!secret) throw new BackupRefusedError(`${path} was written without --with-secret, so it contains no secret.`);
  const opened = await openSecrets(secret, await readSecret('Passphrase of the secret', stopping));
  if (!opened) throw new BackupRefusedError('Wrong passphrase for the secret in this backup.');
  return secretsOf(opened);
}
