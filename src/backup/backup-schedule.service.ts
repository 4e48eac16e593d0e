import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { sql } from 'kysely';
import { DrainService } from '../http/drain.service.js';
import { Config } from '../config/config.js';
import { DATABASE_ADDRESS, type DatabaseAddress } from '../database/address.js';
import { Clock } from '../time/clock.js';
import { createBackup } from './create-backup.js';
import { nameBackup, pruneBackups } from './prune-backups.js';

const JOB = 'backup';
/** Any number that no other program takes as its advisory lock on this database. */
const CLAIM_LOCK = 7_302_774;
/** How long the list of backups goes back. */
const REMEMBER_DAYS = 400;

/** Writes a backup at every tick of BACKUP_CRON and removes the oldest. Of instances that tick together one does it. */
@Injectable()
export class BackupScheduleService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('Backup');
  readonly #stopping = new AbortController();
  #ticking: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly config: Config,
    private readonly registry: SchedulerRegistry,
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly drain: DrainService,
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role === 'api' || this.config.backupCron === null) return;
    const job = CronJob.from({
      cronTime: this.config.backupCron,
      onTick: () => void (this.#ticking = this.tick(job.nextDate().toMillis() - this.clock.now().getTime())),
      timeZone: 'UTC',
    });
    this.registry.addCronJob(JOB, job);
    job.start();
    this.drain.begun.addEventListener('abort', () => void job.stop());
  }

  /** A backup under way is given up: nothing of it stays. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.registry.doesExist('cron', JOB)) void this.registry.getCronJob(JOB).stop();
    this.#stopping.abort();
    await this.#ticking;
  }

  /** @returns the file it has written; `null`: another instance does it, or it failed, which the log says */
  async tick(untilNextTickMs: number): Promise<string | null> {
    let id: string | null = null;
    try {
      id = await this.#claim(untilNextTickMs);
      if (id === null) return null;
      const { path, bytes } = await this.#write();
      await this.#record(id, bytes, null);
      this.#log.log(`Wrote the backup ${path} (${bytes} bytes).`);
      return path;
    } catch (error) {
      const isStopped = this.#stopping.signal.aborted;
      const problem = isStopped ? 'The instance was stopped meanwhile.' : (error as Error).message;
      if (id !== null) await this.#record(id, null, problem).catch(() => undefined);
      if (!isStopped) this.#log.error(`No backup was written: ${problem}`);
      return null;
    }
  }

  /** Clocks differ by less than half the time to the next tick. The database's own decides which tick a claim is for. */
  async #claim(untilNextTickMs: number): Promise<string | null> {
    return this.em.fork().transactional(async (em) => {
      const kysely = em.getKysely();
      await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(kysely);
      await sql`delete from backups where started_at < now() - ${`${REMEMBER_DAYS} days`}::interval`.execute(kysely);
      const { rows } = await sql<{ id: string }>`
        insert into backups (started_at)
        select now() where not exists (
          select from backups where started_at > now() - ${`${untilNextTickMs / 2} milliseconds`}::interval
        )
        returning id`.execute(kysely);
      return rows[0]?.id ?? null;
    });
  }

  async #write(): Promise<{ path: string; bytes: number }> {
    const { backupDir, backupKeep, database } = this.config;
    const now = this.clock.now();
    await mkdir(backupDir, { recursive: true, mode: 0o700 });
    const path = join(backupDir, nameBackup(now));
    const source = { address: this.address, settings: database };
    const { bytes } = await createBackup(source, path, null, this.#stopping.signal);
    await pruneBackups(backupDir, backupKeep, now);
    return { path, bytes };
  }

  async #record(id: string, bytes: number | null, problem: string | null): Promise<void> {
    await sql`
      update backups set finished_at = now(), bytes = ${bytes}, problem = ${problem} where id = ${id}
    `.execute(this.em.fork().getKysely());
  }
}
