import { EntityManager } from '@mikro-orm/postgresql';
import { PlainPool } from '../../src/database/plain-pool.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { onServer } from '../support/database.js';

const SECOND_SESSION = 'A second database session was requested inside a transaction';
/** More than a pool has sessions. */
const LOSSES = 10;
const LOST = /terminating connection|Connection terminated|not queryable/;

describe('database sessions of a transaction', () => {
  let tidemark: TestApp;
  let injected: EntityManager;

  beforeAll(async () => {
    tidemark = await startTestApp();
    injected = tidemark.app.get(EntityManager);
  });
  afterAll(() => tidemark.stop());

  const oneRow = (em: EntityManager) => em.execute<{ one: number }[]>('select 1 as one');

  it('the injected EntityManager and nested transactions use the session of the transaction', async () => {
    const rows = await injected.transactional(async () => {
      await injected.transactional((inner) => oneRow(inner));
      return oneRow(injected);
    });
    expect(rows).toEqual([{ one: 1 }]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a forked EntityManager', () => oneRow(injected.fork())],
    ['a transaction of a forked EntityManager', () => injected.fork().transactional((em) => oneRow(em))],
    ['a prepared statement', () => plain().query({ name: 'one', text: 'select 1' }, [])],
    ['a cursor', () => plain().readAll({ text: 'select 1', values: [] }).next()],
  ])('a second session inside a transaction is refused to %s', async (_, second) => {
    await expect(injected.transactional(second)).rejects.toThrow(SECOND_SESSION);
    await expect(injected.transactional(() => injected.transactional(second))).rejects.toThrow(SECOND_SESSION);
  });

  it('work that outlives its transaction may use a session of its own', async () => {
    let goOn = () => {};
    const ended = new Promise<void>((resolve) => (goOn = resolve));
    let outliving: Promise<unknown> = Promise.resolve();
    await injected.transactional(() => {
      outliving = ended.then(() => oneRow(injected.fork()));
      return Promise.resolve();
    });
    goOn();
    expect(await outliving).toEqual([{ one: 1 }]);
  });

  // From outside: inside a transaction the service refuses a second session.
  const terminate = (pid: number) => onServer(`select pg_terminate_backend(${pid}, 5000)`);

  const loseWithinTransaction = () =>
    injected.transactional(async (em) => {
      const [session] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
      await terminate(session!.pid);
      await em.execute('select 1');
    });

  it('a database session lost in a transaction fails only that transaction and gives its place in the pool back', async () => {
    for (let loss = 0; loss < LOSSES; loss++) await expect(loseWithinTransaction()).rejects.toThrow(LOST);
    expect(await oneRow(injected)).toEqual([{ one: 1 }]);
  });

  const sessionOfStatements = async () => {
    const text = `select pg_backend_pid() as pid, current_setting('plan_cache_mode') as plans`;
    const [session] = await plain().query<{ pid: number; plans: string }>({ name: 'who-am-i', text }, []);
    return session!;
  };

  it('a database session lost between prepared statements is replaced, and the new one plans once, too', async () => {
    for (let loss = 0; loss < LOSSES; loss++) {
      const { pid, plans } = await sessionOfStatements();
      expect(plans).toBe('force_generic_plan');
      await terminate(pid);
    }
  });

  it('a database session lost during a prepared statement fails only that statement', async () => {
    const { pid } = await sessionOfStatements();
    const waiting = plain().query({ name: 'wait', text: 'select pg_sleep(60)' }, []);
    await Promise.all([expect(waiting).rejects.toThrow('terminating connection'), terminate(pid)]);
    expect((await sessionOfStatements()).pid).not.toBe(pid);
  });

  const plain = () => tidemark.app.get(PlainPool);
});

describe('work that outlives the application', () => {
  it('work that outlives the application fails and opens no database session', async () => {
    const { app, stop } = await startTestApp();
    const em = app.get(EntityManager);
    await stop();
    const closed = 'The application has closed its sessions with the database.';
    await expect(em.execute('select 1')).rejects.toThrow(closed);
    await expect(em.transactional((inner) => inner.execute('select 1'))).rejects.toThrow(closed);
    expect(() => em.getKysely()).toThrow(closed);
  });
});
