import { isInstalled } from '../support/installed.js';
import { once } from 'node:events';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DrainService } from '../../src/http/drain.service.js';
import { JobQueue } from '../../src/sync/jobs/job-queue.js';
import { ScheduledTasks } from '../../src/sync/jobs/scheduled-tasks.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { TestDatabase } from '../support/database.js';
import { gate } from '../support/gate.js';
import { until } from '../support/syncs.js';

const YEARLY = '0 0 1 1 *';

describe('scheduled tasks of an instance', () => {
  const started: TestApp[] = [];
  const startInstance = async (environment: NodeJS.ProcessEnv = {}, beside?: TestDatabase) => {
    const instance = await startTestApp(environment, undefined, beside);
    started.push(instance);
    const registry = instance.app.get(SchedulerRegistry, { strict: false });
    return { instance, registry, tasks: instance.app.get(ScheduledTasks, { strict: false }) };
  };
  afterAll(async () => {
    // The later ones use the databases of earlier ones.
    for (const instance of started.reverse()) await instance.stop();
  });

  it('an instance schedules syncs, accounts by hand and retention where configured, and nothing with ROLE=api', async () => {
    const { registry } = await startInstance({ SYNC_CRON: YEARLY, ROLE: 'worker' });
    const ofImports = isInstalled('imports') ? ['old-previews'] : [];
    expect([...registry.getCronJobs().keys()].sort()).toEqual(['due-syncs', ...ofImports, 'own-accounts', 'retention']);
    const api = await startInstance({ SYNC_CRON: YEARLY, ROLE: 'api' });
    expect([...api.registry.getCronJobs().keys()]).toEqual([]);
  });

  it('an instance that drains starts no scheduled task', async () => {
    const { instance, registry } = await startInstance();
    const job = registry.getCronJob('retention');
    job.start();
    await instance.app.get(DrainService).drain(0, AbortSignal.abort());
    expect(job.isActive).toBe(false);
  });

  it('a stop notifies a running scheduled task and waits for it, and the next instance does it again', async () => {
    const { instance, registry, tasks } = await startInstance();
    const began = gate();
    const said: string[] = [];
    await tasks.add('slow', YEARLY, async (stopping) => {
      began.open();
      await once(stopping, 'abort');
      await instance.em().execute('select 1');
      said.push('ended');
      stopping.throwIfAborted();
    });
    const spies = (['warn', 'error'] as const).map((level) =>
      jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined),
    );
    afterThisTest(() => spies.forEach((spy) => spy.mockRestore()));
    const beside = await startInstance({}, instance.database);
    await registry.getCronJob('slow').fireOnTick();
    await began.opened;
    await instance.app.get(JobQueue).beforeApplicationShutdown();
    expect(said).toEqual(['ended']);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    await beside.tasks.add('slow', YEARLY, () => Promise.resolve(said.push('done again')));
    await instance.em().execute(`update pgboss.job set start_after = now() where name = 'slow'`);
    beside.instance.app.get(JobQueue).wake('slow');
    await until(() => Promise.resolve(said[1] ?? null), 'done again');
  });

  it('a task is done once per tick by one of several instances, also if its tick comes late', async () => {
    const one = await startInstance();
    const other = await startInstance({}, one.instance.database);
    const done: string[] = [];
    for (const [name, { tasks }] of Object.entries({ one, other })) {
      await tasks.add('hourly', '11 * * * *', () => Promise.resolve(done.push(name)));
      await tasks.add('daily', '11 2-23 * * *', () => Promise.resolve(done.push('daily')), { isDaily: true });
    }
    const tick = async (name: string, { instance, registry }: typeof one, at: string) => {
      instance.clock.set(at);
      await registry.getCronJob(name).fireOnTick();
    };
    const jobs = async (name: string) => {
      const [row] = await one.instance
        .em()
        .execute<{ count: number }[]>(
          `select count(*)::integer from pgboss.job where name = ? and state = 'completed'`,
          [name],
        );
      return row!.count;
    };
    await tick('hourly', one, '2026-03-15T12:10:59.900Z');
    await until(async () => ((await jobs('hourly')) === 1 ? true : null), 'done');
    await tick('hourly', other, '2026-03-15T12:13:00Z');
    await tick('hourly', other, '2026-03-15T13:11:00Z');
    await until(async () => ((await jobs('hourly')) === 2 ? true : null), 'done after the next tick');
    expect(done).toHaveLength(2);
    // The machine was off until noon.
    for (const hour of [12, 13, 14]) await tick('daily', one, `2026-03-15T${hour}:11:00Z`);
    await until(async () => ((await jobs('daily')) === 1 ? true : null), 'done for the day');
    expect(done.filter((name) => name === 'daily')).toHaveLength(1);
  });

  it('a failed scheduled task is logged by its name without row values from the driver, and retried', async () => {
    const { registry, tasks } = await startInstance();
    const logged: unknown[] = [];
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation((line) => void logged.push(line));
    afterThisTest(() => error.mockRestore());
    const failure = Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(rowan@example.com) exists.' });
    await tasks.add('broken', YEARLY, () => Promise.reject(failure));
    await registry.getCronJob('broken').fireOnTick();
    await until(() => Promise.resolve(logged[0] ?? null), 'logged');
    expect(logged).toEqual(['A job of “broken” failed; it is retried: duplicate key']);
  });
});
