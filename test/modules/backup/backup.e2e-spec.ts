import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { withPlainSession } from '../../../src/database/plain-session.js';
import { checkBackups } from '../../../src/modules/backup/backup-schedule.js';
import { MODULES } from '../../../src/modules.js';
import { readConfig } from '../../../src/platform/config/config.js';
import { PROVIDERS } from '../../../src/providers/installed.js';
import { afterThisTest } from '../../support/after-this-test.js';
import { send, startTestApp, type TestApp } from '../../support/app.js';

const YEARLY = '0 0 1 1 *';

describe('backups on a schedule', () => {
  let folder: string;
  let tidemark: TestApp;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-schedule-'));
    tidemark = await startTestApp({ BACKUP_CRON: YEARLY, BACKUP_DIR: folder });
  });
  afterAll(async () => {
    await tidemark.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => tidemark.em().execute(`delete from pgboss.job where name = 'backup'`));

  const noteJob = (state: string, completed: string, output = '{}') =>
    tidemark
      .em()
      .execute(
        `insert into pgboss.job (name, state, completed_on, output) values ('backup', ?, ${completed}, ?::jsonb)`,
        [state, output],
      );
  const startedAgo = (interval: string) =>
    tidemark.em().execute(`update pgboss.queue set created_on = now() - ?::interval where name = 'backup'`, [interval]);

  /** What the doctor says, by the names of its checks. */
  async function examine(environment: NodeJS.ProcessEnv = { BACKUP_CRON: '11 3 * * *', BACKUP_DIR: folder }) {
    const config = readConfig(PROVIDERS, MODULES, {}, environment);
    const checks = await withPlainSession(tidemark.database.address, config.database, (session) =>
      checkBackups(config, session),
    );
    return Object.fromEntries(checks.map(({ name, ok, message, advice }) => [name, { ok, message, advice }]));
  }

  it('an instance with ROLE=api schedules no backup and warns about BACKUP_CRON', async () => {
    const keysOf = ({ app }: TestApp) => [...app.get(SchedulerRegistry, { strict: false }).getCronJobs().keys()];
    expect(keysOf(tidemark)).toContain('backup');
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    afterThisTest(() => warn.mockRestore());
    const api = await startTestApp({ BACKUP_CRON: YEARLY, ROLE: 'api' });
    afterThisTest(api.stop);
    expect(keysOf(api)).toEqual([]);
    expect(warn.mock.calls).toEqual([
      ['BACKUP_CRON does nothing with ROLE=api: an instance with ROLE=worker or all must have it, too.'],
    ]);
  });

  it('GET /metrics shows the age of the newest good backup, or since when there could be one', async () => {
    const age = async () =>
      /^tidemark_newest_backup_age_seconds (\d+)/m.exec((await send(`${tidemark.url}/metrics`)).body as string)?.[1];
    await startedAgo('3 days');
    expect(Number(await age())).toBeCloseTo(3 * 86_400, -2);
    await noteJob('completed', `now() - interval '2 days'`);
    await noteJob('failed', 'now()');
    await noteJob('active', 'null');
    expect(Number(await age())).toBeCloseTo(2 * 86_400, -2);
  });

  it('the doctor checks the folder of backups, and says where there are none', async () => {
    await startedAgo('0');
    const { 'backup directory': directory, backups } = await examine();
    expect([directory, backups]).toEqual([
      { ok: true, message: `${folder} can be written.`, advice: null },
      { ok: true, message: 'None yet.', advice: null },
    ]);
    expect((await examine({}))['backups']).toMatchObject({
      ok: true,
      advice: expect.stringContaining('Set BACKUP_CRON'),
    });
  });

  it('the doctor accepts a backup for its tick although the clock of the instance was ahead', async () => {
    const tick = new Date(Date.now() - 18 * 3_600_000);
    tick.setUTCMinutes(0, 0, 0);
    await startedAgo('70 hours');
    await noteJob('completed', `'${new Date(tick.getTime() - 3_000).toISOString()}'`);
    const { backups } = await examine({ BACKUP_CRON: `0 ${tick.getUTCHours()} * * *`, BACKUP_DIR: folder });
    expect(backups).toMatchObject({ ok: true });
  });

  it('the doctor reports that the last backup failed', async () => {
    await noteJob('failed', 'null', '{"message": "the disk is full"}');
    expect((await examine())['backups']).toMatchObject({ ok: false, message: 'The last one failed: the disk is full' });
  });

  it.each([
    ['no backup was made', null, 'None yet.'],
    ['none was finished', ['active', 'null'], 'None yet.'],
    [
      'the backups ended after the first',
      ['completed', `now() - interval '60 hours'`],
      'The last one is 60.0 hours old.',
    ],
  ])('the doctor reports that %s though one was due', async (_, job, message) => {
    await startedAgo('70 hours');
    if (job) await noteJob(job[0]!, job[1]!);
    expect((await examine())['backups']).toEqual({
      ok: false,
      message,
      advice: expect.stringMatching(/^One was due at \d{4}-\d\d-\d\dT03:11:00.000Z: look at the log/),
    });
  });
});
