import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'kysely';
import { Config } from '../config/config.js';
import { makeFolder, makeWritableFolder } from '../config/make-folder.js';
import { cannotUse, EXIT_CONFIG } from '../config/startup-error.js';
import { DATABASE_ADDRESS, type DatabaseAddress } from '../database/address.js';
import { ScheduledTasks } from '../schedule/scheduled-tasks.service.js';
import { Clock } from '../time/clock.js';
import { lastTick } from '../time/cron-ticks.js';
import { CredentialVault } from '../vault/credential-vault.js';
import { createBackup } from './create-backup.js';

/** Any number that no other program uses as an advisory lock on this database. */
const CLAIM_LOCK = 7_302_774;
/** How long the list of backups goes back. */
const REMEMBER_DAYS = 400;

/** Writes a backup at every tick of BACKUP_CRON and removes the oldest ones. One instance does it for all. */
@Injectable()
export class BackupScheduleService implements OnApplicationBootstrap {
  readonly #log = new Logger('Backup');

  constructor(
    private readonly config: Config,
    private readonly scheduled: ScheduledTasks,
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly vault: CredentialVault,
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { backupCron, backupDir, role } = this.config;
    if (backupCron === null) return;
    await this.#noteBegin();
    if (role !== 'api') {
      await makeWritableFolder(backupDir).catch((error: NodeJS.ErrnoException) => {
        throw cannotUse(backupDir, error, 'BACKUP_DIR', EXIT_CONFIG);
      });
    } else {
      this.#log.warn('BACKUP_CRON does nothing with ROLE=api: an instance with ROLE=worker or all must have it, too.');
    }
    this.scheduled.add('backup', backupCron, (untilNextTickMs, stopping) => {
      // Half a second ahead, since a timer may fire early.
      const planned = lastTick(backupCron, new Date(this.clock.now().getTime() + 500));
      const sinceLastTickMs = planned.getTime() - lastTick(backupCron, planned).getTime();
      return this.tick(Math.min(sinceLastTickMs, untilNextTickMs), stopping);
    });
  }

  /**
   * @param toOtherTickMs the time to the tick before or to the next one, whichever is nearer
   * @param stopping cancels a running backup, whose file is removed
   * @returns the file that was written; `null`: another instance writes it, or it failed, which is logged
   */
  async tick(toOtherTickMs: number, stopping?: AbortSignal): Promise<string | null> {
    let id: string | null = null;
    try {
      id = await this.#claim(toOtherTickMs);
      if (id === null) return null;
      const { path, bytes } = await this.#write(stopping);
      await this.#record(id, null);
      this.#log.log(`Wrote the backup ${path} (${bytes} bytes).`);
      return path;
    } catch (error) {
      const isStopped = stopping?.aborted ?? false;
      const problem = isStopped ? 'The instance was stopped meanwhile.' : (error as Error).message;
      if (id !== null) await this.#record(id, problem).catch(() => undefined);
      if (!isStopped) this.#log.error(`No backup was written: ${problem}`);
      return null;
    }
  }

  /** Notes since when there could be backups: before, none is missing. */
  async #noteBegin(): Promise<void> {
    await sql`
      insert into nightly_tasks (name, started_at) values ('backup', now()) on conflict do nothing
    `.execute(this.em.getKysely());
  }

  /**
   * Claims a tick. The database's clock decides, because those of instances may differ by up to half the time to the
   * nearest other tick. Raw as all here, because of that clock, and because the tables have no entities.
   */
  async #claim(toOtherTickMs: number): Promise<string | null> {
    return this.em.transactional(async (em) => {
      const kysely = em.getKysely();
      await kysely.selectNoFrom((eb) => eb.fn('pg_advisory_xact_lock', [eb.val(CLAIM_LOCK)]).as('lock')).execute();
      const half = sql`${`${toOtherTickMs / 2} milliseconds`}::interval`;
      const { rows } = await sql<{ id: string }>`
        with forgotten as (
          delete from backups where started_at < now() - ${`${REMEMBER_DAYS} days`}::interval
        )
        insert into backups (started_at)
        select now() where not exists (select 1 from backups where started_at >= now() - ${half})
        returning id`.execute(kysely);
      return rows[0]?.id ?? null;
    });
  }

  async #write(stopping?: AbortSignal): Promise<{ path: string; bytes: number }> {
    const { backupDir, backupKeep, database } = this.config;
    await makeFolder(backupDir);
    const path = join(backupDir, nameBackup(this.clock.now()));
    const source = { address: this.address, settings: database };
    const { bytes } = await createBackup(source, path, this.vault, null, stopping);
    await pruneBackups(backupDir, backupKeep).catch((error: Error) => {
      this.#log.warn(`Older backups could not be removed: ${error.message}`);
    });
    return { path, bytes };
  }

  async #record(id: string, problem: string | null): Promise<void> {
    await sql`
      update backups set finished_at = now(), problem = ${problem} where id = ${id}
    `.execute(this.em.getKysely());
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
