import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DrainService } from '../../src/http/drain.service.js';
import { ScheduledTasks } from '../../src/schedule/scheduled-tasks.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { startTestApp, type TestApp } from '../support/app.js';

const YEARLY = '0 0 1 1 *';

describe('scheduled tasks of an instance', () => {
  const started: TestApp[] = [];
  const startInstance = async (environment: NodeJS.ProcessEnv = {}) => {
    const instance = await startTestApp(environment);
    started.push(instance);
    const registry = instance.app.get(SchedulerRegistry, { strict: false });
    return { instance, registry, tasks: instance.app.get(ScheduledTasks, { strict: false }) };
  };
  afterAll(() => Promise.all(started.map((instance) => instance.stop())));

  it('an instance schedules syncs, backups and retention where configured, and nothing with ROLE=api', async () => {
    const settings = { SYNC_CRON: YEARLY, BACKUP_CRON: YEARLY, BACKUP_DIR: tmpdir() };
    const { registry } = await startInstance({ ...settings, ROLE: 'worker' });
    expect([...registry.getCronJobs().keys()].sort()).toEqual(['backup', 'missed retention', 'retention', 'sync']);
    const api = await startInstance({ ...settings, ROLE: 'api' });
    expect([...api.registry.getCronJobs().keys()]).toEqual([]);
  });

  it('an instance with ROLE=api schedules no backup and warns about BACKUP_CRON', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    afterThisTest(() => warn.mockRestore());
    await startInstance({ BACKUP_CRON: YEARLY, BACKUP_DIR: tmpdir(), ROLE: 'worker' });
    expect(warn).not.toHaveBeenCalled();
    await startInstance({ BACKUP_CRON: YEARLY, ROLE: 'api' });
    expect(warn.mock.calls).toEqual([
      ['BACKUP_CRON does nothing with ROLE=api: an instance with ROLE=worker or all must have it, too.'],
    ]);
  });

  it('an instance that drains starts no scheduled task', async () => {
    const { instance, registry } = await startInstance();
    const job = registry.getCronJob('retention');
    job.start();
    await instance.app.get(DrainService).drain(0, AbortSignal.abort());
    expect(job.isActive).toBe(false);
  });

  it('a stop waits for a running scheduled task and notifies it, and a tick in between is skipped', async () => {
    const { instance, registry, tasks } = await startInstance();
    const said: string[] = [];
    tasks.add('slow', '0 0 1 1 *', async (untilNextTickMs, stopping) => {
      said.push(untilNextTickMs > 0 ? 'begun' : 'begun without a next tick');
      await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      await instance.em().execute('select 1');
      said.push('ended');
    });
    const job = registry.getCronJob('slow');
    void job.fireOnTick();
    await job.fireOnTick();
    await instance.stop();
    expect(said).toEqual(['begun', 'ended']);
  });

  it('a scheduled task that is ended by a stop is not logged as a failure', async () => {
    const { instance, registry, tasks } = await startInstance();
    const spies = (['warn', 'error'] as const).map((level) =>
      jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined),
    );
    afterThisTest(() => spies.forEach((spy) => spy.mockRestore()));
    tasks.add('stopped', YEARLY, (_, stopping) => once(stopping, 'abort').then(() => stopping.throwIfAborted()));
    void registry.getCronJob('stopped').fireOnTick();
    await instance.stop();
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  it('a failed scheduled task is logged by its name without row values from the driver', async () => {
    const { registry, tasks } = await startInstance();
    const [warn, printed] = [
      jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined),
      jest.spyOn(console, 'error').mockImplementation(() => undefined),
    ];
    afterThisTest(() => [warn, printed].forEach((spy) => spy.mockRestore()));
    const failure = Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(rowan@example.com) exists.' });
    tasks.add('broken', YEARLY, () => Promise.reject(failure));
    await registry.getCronJob('broken').fireOnTick();
    expect(warn.mock.calls).toEqual([['The scheduled task “broken” failed; retrying at its next tick: duplicate key']]);
    expect(printed).not.toHaveBeenCalled();
  });
});
