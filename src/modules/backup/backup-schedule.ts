import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'kysely';
import type pg from 'pg';
import { z } from 'zod';
import { absolutePath, Clock, Config, cron, integer, MetricsService, orNull, settingsOf } from '../../kit.js';
import {
  bad,
  cannotUse,
  type Check,
  checkFolder,
  CredentialVault,
  DATABASE_ADDRESS,
  type DatabaseAddress,
  DatabaseGaugesService,
  type GaugeRow,
  good,
  judge,
  lastTick,
  makeFolder,
  makeWritableFolder,
  MAX_CLOCK_DIFFERENCE_MS,
} from '../../kit/operate.js';
import { createBackup } from './create-backup.js';

export const BACKUP_SETTINGS = z.object({
  BACKUP_CRON: cron
    .prefault('off')
    .describe(
      'When this instance writes a backup by itself, in UTC (5 or 6 fields), e.g. 11 3 * * *; off = never. Of several instances one does it. The secret never goes along.',
    ),
  BACKUP_DIR: orNull(absolutePath).describe('Where they are written; better another disk. Empty: backups in DATA_DIR.'),
  BACKUP_KEEP: integer(1, 10_000).prefault('14').describe('How many are kept.'),
});

function settingsIn(config: Config) {
  const { BACKUP_CRON: cronTime, BACKUP_DIR: folder, BACKUP_KEEP: keep } = settingsOf(config, BACKUP_SETTINGS);
  return { cronTime, folder: folder ?? join(config.dataDir, 'backups'), keep };
}

/** Writes a backup at every tick of BACKUP_CRON and removes the oldest ones. */
@Injectable()
export class BackupSchedule implements OnApplicationBootstrap {
  readonly #log = new Logger('Backup');

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly vault: CredentialVault,
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    metrics: MetricsService,
    gauges: DatabaseGaugesService,
  ) {
    const { cronTime } = settingsIn(config);
    metrics.addGauge({
      name: 'tidemark_newest_backup_age_seconds',
      help: 'With BACKUP_CRON: time since the newest good backup, or since there is a schedule where there is none.',
      labelNames: [],
      read: () => (cronTime === null ? [] : gauges.read(NEWEST_AGE)),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { cronTime, folder } = settingsIn(this.config);
    if (cronTime === null || !this.config.hasSchedule) return;
    if (this.config.role !== 'api') {
      await makeWritableFolder(folder).catch((error: NodeJS.ErrnoException) => {
        throw cannotUse(folder, error, 'BACKUP_DIR');
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
    const { folder, keep } = settingsIn(this.config);
    await makeFolder(folder);
    const name = `tidemark-${this.clock
      .now()
      .toISOString()
      .replaceAll(/\.\d+|[-:]/g, '')}.backup`;
    const path = join(folder, name);
    const source = { address: this.address, settings: this.config.database };
    const { bytes } = await createBackup(source, path, this.vault, null, stopping);
    await prune(folder, name, keep).catch((error: Error) => {
      this.#log.warn(`Older backups could not be removed: ${error.message}`);
    });
    this.#log.log(`Wrote the backup ${path} (${bytes} bytes).`);
    return { path, bytes };
  }
}

/** Its names sort by time. Files with other names are not ours. */
const NAME = /^tidemark-\d{8}T\d{6}Z\.backup(\.partial)?$/;

/** Removes all but the newest backups, and what killed processes have left before the newest. */
async function prune(folder: string, newest: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const whole = names.filter((name) => !name.endsWith('.partial'));
  const left = names.filter((name) => name.endsWith('.partial') && name < newest);
  for (const name of [...whole.slice(0, -keep), ...left]) await rm(join(folder, name), { force: true });
}

// How each one went is told by its job.

const NEWEST_AGE = sql<GaugeRow>`
  select extract(epoch from now() - coalesce(
    (select max(completed_on) from pgboss.job where name = 'backup' and state = 'completed'),
    (select created_on from pgboss.queue where name = 'backup')
  ))::float8 as value`;

const HOUR_MS = 3_600_000;
/** For a backup that is being written. */
const GRACE_MS = 12 * HOUR_MS;

interface BackupFacts {
  now: Date;
  /** When the newest good one was whole. */
  newest: Date | null;
  /** When an instance first had BACKUP_CRON; now where none had it yet. */
  since: Date;
  /** Of the last one. */
  problem: string | null;
}

const FACTS = `
  select now(), max(completed_on) filter (where state = 'completed') as newest,
    (select coalesce(min(created_on), now()) from pgboss.queue where name = 'backup') as since,
    (array_agg(case when state in ('retry', 'failed') then output ->> 'message' end order by created_on desc))[1] as problem
  from pgboss.job where name = 'backup'`;

/** For `doctor`: the folder, and whether the last backup that was due is there. */
export async function checkBackups(config: Config, session: pg.ClientBase | null): Promise<Check[]> {
  const { cronTime, folder } = settingsIn(config);
  if (cronTime === null) {
    const message = 'This instance makes no backups on a schedule.';
    return [good('backups', message, 'Set BACKUP_CRON, or run backup from a timer.')];
  }
  return [...(await checkFolder('backup directory', folder, 'BACKUP_DIR')), await checkNewest(cronTime, session)];
}

async function checkNewest(cronTime: string, session: pg.ClientBase | null): Promise<Check> {
  // The first start of the service makes the tables of the jobs.
  const jobs = await session?.query(`select 1 where to_regclass('pgboss.job') is not null`);
  if (!session || jobs?.rowCount !== 1) return good('backups', 'None yet.');
  const { rows } = await session.query<BackupFacts>(FACTS);
  const { now, newest, since, problem } = rows[0]!;
  if (problem)
    return bad('backups', `The last one failed: ${problem}`, 'Fix that; the next scheduled backup tries again.');
  const due = lastTick(cronTime, new Date(now.getTime() - GRACE_MS));
  const hours = newest && ((now.getTime() - newest.getTime()) / HOUR_MS).toFixed(1);
  const message = hours ? `The last one is ${hours} hours old.` : 'None yet.';
  const advice = `One was due at ${due.toISOString()}: look at the log of the instances with BACKUP_CRON, of which one must have ROLE worker or all.`;
  // A tick is by the clock of an instance.
  const isMade = (newest ?? since).getTime() >= due.getTime() - MAX_CLOCK_DIFFERENCE_MS;
  return judge('backups', isMade, message, advice);
}
