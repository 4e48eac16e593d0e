import { RunFollower } from './run-follower.js';
import type { SyncRun } from '../sync-run.entity.js';

/** A user's runs in memory, and how often they were read. */
class Runs {
  readonly #runs = new Map<string, SyncRun>();
  #lastEventId = 0;
  reads = 0;
  /** Happens while a reading is under way. */
  meanwhile: (() => void) | null = null;

  change(id: string, status: SyncRun['status'] = 'running'): void {
    this.#runs.set(id, { id, status, eventId: ++this.#lastEventId } as SyncRun);
  }

  readonly follower = new RunFollower({
    open: () => this.#read((runs) => runs.filter(({ status }) => status === 'running')),
    newest: (limit) => this.#read((runs) => runs.reverse().slice(0, limit)),
    changedAfter: (after, limit) => this.#read((runs) => runs.filter(({ eventId }) => eventId > after).slice(0, limit)),
  });

  async changesAfter(eventId: number): Promise<string[]> {
    return (await this.follower.changedAfter(eventId)).map(({ id, eventId }) => `${id}@${eventId}`);
  }

  async #read(select: (runs: SyncRun[]) => SyncRun[]): Promise<SyncRun[]> {
    this.reads++;
    const found = select([...this.#runs.values()].sort((a, b) => a.eventId - b.eventId));
    await Promise.resolve();
    const { meanwhile } = this;
    this.meanwhile = null;
    meanwhile?.();
    return found;
  }
}

describe('a follower of runs', () => {
  it('reads the present once for all who start at the same time', async () => {
    const runs = new Runs();
    runs.change('a', 'succeeded');
    runs.change('b');
    await Promise.all([runs.follower.start(), runs.follower.start(), runs.follower.start()]);
    expect(runs.reads).toBe(2);
    expect([runs.follower.position, runs.follower.open().map(({ id }) => id)]).toEqual([2, ['b']]);
  });

  it('gives the newest state of each run, oldest change first, to whatever position', async () => {
    const runs = new Runs();
    await runs.follower.start();
    for (const id of ['a', 'b', 'a', 'c']) runs.change(id);
    await runs.follower.refresh();
    expect(await runs.changesAfter(0)).toEqual(['b@2', 'a@3', 'c@4']);
    expect(await runs.changesAfter(3)).toEqual(['c@4']);
    runs.change('b', 'succeeded');
    await runs.follower.refresh();
    expect(await runs.changesAfter(4)).toEqual(['b@5']);
  });

  it('reads again what changes while it reads, once for all who say so', async () => {
    const runs = new Runs();
    await runs.follower.start();
    runs.reads = 0;
    runs.change('a');
    runs.meanwhile = () => {
      runs.change('b');
      for (let i = 0; i < 50; i++) void runs.follower.refresh();
    };
    await runs.follower.refresh();
    expect([runs.reads, runs.follower.position]).toEqual([2, 2]);
  });

  it('misses nothing that changes while it starts', async () => {
    const runs = new Runs();
    runs.change('a', 'succeeded');
    runs.meanwhile = () => {
      runs.change('b', 'succeeded');
      runs.change('c');
    };
    await runs.follower.start();
    expect(await runs.changesAfter(0)).toEqual(['a@1', 'b@2', 'c@3']);
  });

  it('keeps the open and the newest ended runs, and asks the database for older changes', async () => {
    const runs = new Runs();
    runs.change('open');
    for (let i = 0; i < 250; i++) runs.change(`ended-${i}`, 'succeeded');
    await runs.follower.start();
    expect(runs.follower.find('open')).not.toBeNull();
    runs.reads = 0;
    expect(await runs.changesAfter(151)).toHaveLength(100);
    expect(runs.reads).toBe(0);
    expect((await runs.changesAfter(10))[0]).toBe('ended-9@11');
    expect(runs.reads).toBe(1);
    for (let i = 250; i < 500; i++) runs.change(`ended-${i}`, 'succeeded');
    await runs.follower.refresh();
    expect((await runs.changesAfter(251))[0]).toBe('ended-250@252');
    expect(await runs.changesAfter(401)).toHaveLength(100);
  });

  it('wakes who waits for a change, or is told to stop', async () => {
    const runs = new Runs();
    await runs.follower.start();
    const abort = new AbortController();
    const [changed, stopped] = [new AbortController().signal, abort.signal].map((signal) =>
      runs.follower.waitAfter(0, signal),
    );
    abort.abort();
    await stopped;
    runs.change('a');
    await runs.follower.refresh();
    await changed;
    await runs.follower.waitAfter(0, new AbortController().signal);
  });
});
