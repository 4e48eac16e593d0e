import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { makeFolder, makeWritableFolder } from '../../platform/config/make-folder.js';
import { cannotUse } from '../../platform/config/startup-error.js';
import { DATABASE_ADDRESS, type DatabaseAddress } from '../../database/address.js';
import { Clock } from '../../platform/time/clock.js';
import { CredentialVault } from '../../platform/vault/credential-vault.js';
import { createBackup } from './create-backup.js';

/** Writes a backup at every tick of BACKUP_CRON and removes the oldest ones. */
@Injectable()
export class BackupScheduleService implements OnApplicationBootstrap {
  readonly #log = new Logger('Backup');

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly vault: CredentialVault,
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { backupCron, backupDir, role } = this.config;
    if (backupCron === null) return;
    if (role !== 'api') {
      await makeWritableFolder(backupDir).catch((error: NodeJS.ErrnoException) => {
        throw cannotUse(backupDir, error, 'BACKUP_DIR');
      });
    } else {
      this.#log.warn('BACKUP_CRON does nothing with ROLE=api: an instance with ROLE=worker or all must have it, too.');
    }
  }

  /**
   * @param stopping cancels a running backup, whose file is removed; another instance then begins anew
   * @returns what the doctor and the metrics find in its job
   */
  async write(stopping?: AbortSignal): Promise<{ path: string; bytes: number }> {
    const { backupDir, backupKeep, database } = this.config;
    await makeFolder(backupDir);
    const path = join(backupDir, nameBackup(this.clock.now()));
    const source = { address: this.address, settings: database };
    const { bytes } = await createBackup(source, path, this.vault, null, stopping);
    await pruneBackups(backupDir, backupKeep).catch((error: Error) => {
      this.#log.warn(`Older backups could not be removed: ${error.message}`);
    });
    this.#log.log(`Wrote the backup ${path} (${bytes} bytes).`);
    return { path, bytes };
  }
}

const NAME = /^tidemark-\d{8}T\d{6}Z\.backup$/;

/** The name of a scheduled backup; names sort by time. */
function nameBackup(at: Date): string {
  const time = at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `tidemark-${time}.backup`;
}

/** Removes all but the newest backups. Files with other names are not ours. */
async function pruneBackups(folder: string, keep: number): Promise<void> {
  const byAge = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  for (const name of byAge.slice(0, -keep)) await rm(join(folder, name), { force: true });
}
