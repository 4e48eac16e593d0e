import type { LogEntry } from '../change-feed/change-log.js';
import { ChangeFollower } from './change-follower.js';
import type { SyncRun } from '../sync-run.entity.js';

/** A person's log and runs in memory, and how often they were read. */
class Log {
  readonly #runs = new Map<string, SyncRun>();
  readonly #entries: LogEntry[] = [];
  /** Of the log, and of runs. */
  reads = [0, 0];
  seal = 'first';
  floor = 0;
  /** Happens while a reading is under way. */
  meanwhile: (() => void) | null = null;

  change(id: string, status: SyncRun['status'] = 'running'): void {
    this.#runs.set(id, { id, status } as SyncRun);
    this.#entries.push({ revision: this.#entries.length + 1, kinds: ['syncs'], syncIds: [id] });
  }

  changeBalances(): void {
    this.#entries.push({ revision: this.#entries.length + 1, kinds: ['balances'], syncIds: [] });
  }

  readonly follower = new ChangeFollower(this.seal, {
    state: () => Promise.resolve({ head: this.#entries.length, floor: this.floor, seal: this.seal }),
    entriesAfter: (after, limit) => this.#read(0, () => this.#entries.slice(after, after + limit)),
    openRuns: () => this.#read(1, () => [...this.#runs.values()].filter(({ status }) => status === 'running')),
    runs: (ids) => this.#read(1, () => ids.map((id) => this.#runs.get(id)!)),
  });

  async runsAfter(revision: number): Promise<string[]> {
    return (await this.follower.changesAfter(revision)).runs.map(({ run, revision }) => `${run.id}@${revision}`);
  }

  async #read<T>(which: 0 | 1, select: () => T): Promise<T> {
    this.reads[which]!++;
    const found = select();
    await Promise.resolve();
    const { meanwhile } = this;
    this.meanwhile = null;
    meanwhile?.();
    return found;
  }
}

describe('ChangeFollower', () => {
  it('a change follower reads the current state once for all callers that start at the same time', async () => {
    const log = new Log();
    log.change('a', 'succeeded');
    log.change('b');
    await Promise.all([log.follower.start(), log.follower.start(), log.follower.start()]);
    expect(log.reads).toEqual([0, 1]);
    expect([log.follower.position, log.follower.openRuns().map(({ id }) => id)]).toEqual([2, ['b']]);
  });

  it('a change follower returns the newest state of each run after any position, oldest change first', async () => {
    const log = new Log();
    await log.follower.start();
    for (const id of ['a', 'b', 'a', 'c']) log.change(id);
    await log.follower.refresh();
    expect(await log.runsAfter(0)).toEqual(['b@2', 'a@3', 'c@4']);
    expect(await log.runsAfter(3)).toEqual(['c@4']);
    log.change('b', 'succeeded');
    await log.follower.refresh();
    expect(await log.runsAfter(4)).toEqual(['b@5']);
  });

  it('a change follower names the kinds that have changed since a position', async () => {
    const log = new Log();
    await log.follower.start();
    log.changeBalances();
    await log.follower.refresh();
    log.change('a');
    await log.follower.refresh();
    const kindsAfter = async (revision: number) => (await log.follower.changesAfter(revision)).kinds;
    expect([await kindsAfter(0), await kindsAfter(1), await kindsAfter(2)]).toEqual([
      ['balances', 'syncs'],
      ['syncs'],
      [],
    ]);
  });

  it('a change follower reads changes that arrive during a read once, for all callers', async () => {
    const log = new Log();
    await log.follower.start();
    log.reads = [0, 0];
    log.change('a');
    log.meanwhile = () => {
      log.change('b');
      for (let i = 0; i < 50; i++) void log.follower.refresh();
    };
    await log.follower.refresh();
    expect([log.reads, log.follower.position]).toEqual([[2, 2], 2]);
  });

  it('a change follower misses no change that is made while it starts', async () => {
    const log = new Log();
    log.change('a', 'succeeded');
    log.meanwhile = () => {
      log.change('b', 'succeeded');
      log.change('c');
    };
    await log.follower.start();
    await log.follower.refresh();
    expect(await log.runsAfter(0)).toEqual(['a@1', 'b@2', 'c@3']);
    expect(await log.runsAfter(1)).toEqual(['b@2', 'c@3']);
  });

  it('a change follower caches open and newest ended runs, and reads older changes from the database', async () => {
    const log = new Log();
    await log.follower.start();
    log.change('open');
    for (let i = 0; i < 250; i++) log.change(`ended-${i}`, 'succeeded');
    await log.follower.refresh();
    expect([log.follower.find('open') === null, log.follower.position]).toEqual([false, 251]);
    log.reads = [0, 0];
    expect(await log.runsAfter(151)).toHaveLength(100);
    expect(log.reads).toEqual([0, 0]);
    expect((await log.runsAfter(10))[0]).toBe('ended-9@11');
    expect(log.reads).toEqual([1, 1]);
  });

  it('a change follower returns old changes in parts, the oldest first', async () => {
    const log = new Log();
    for (let i = 0; i < 450; i++) log.change(`${i}`, 'succeeded');
    await log.follower.start();
    const positions = [];
    for (let position = 0; position < 450; positions.push(position))
      ({ position } = await log.follower.changesAfter(position));
    expect(positions).toEqual([200, 400, 450]);
  });

  it('a change follower wakes a waiting caller on a change or an abort', async () => {
    const log = new Log();
    await log.follower.start();
    const abort = new AbortController();
    const [changed, stopped] = [new AbortController().signal, abort.signal].map((signal) =>
      log.follower.waitAfter(0, signal),
    );
    abort.abort();
    await stopped;
    log.change('a');
    await log.follower.refresh();
    await changed;
    await log.follower.waitAfter(0, new AbortController().signal);
  });

  it.each([
    ['stand for other changes', (log: Log) => (log.seal = 'second')],
    ['are no longer complete', (log: Log) => (log.floor = 2)],
  ])('a change follower ends, wakes its callers and returns no changes if its revisions %s', async (_, lose) => {
    const log = new Log();
    log.change('a');
    await log.follower.start();
    const waiting = log.follower.waitAfter(1, new AbortController().signal);
    log.change('b');
    lose(log);
    await log.follower.refresh();
    await waiting;
    await log.follower.waitAfter(1, new AbortController().signal);
    expect([log.follower.hasEnded, log.follower.position, log.follower.find('b')]).toEqual([true, 1, null]);
  });

  it('a change follower does not start in another epoch than its own', async () => {
    const log = new Log();
    log.seal = 'second';
    await log.follower.start();
    expect(log.follower.hasEnded).toBe(true);
  });
});
