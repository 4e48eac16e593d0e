import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProviderDescriptor } from '../providers/provider-descriptor.js';
import { type Person, startTidemark, StillClock, type TestAnswer, type Tidemark } from './testing.js';
import type { Visitor } from './visitor.js';

/**
 * A provider beside a fake of its vendor, at which a person has one account without transactions. Absent members are what
 * the vendor does not do: what needs them is not played. One of `pasted` and `decide` is there.
 */
export interface PlayedVendor {
  descriptor: ProviderDescriptor;
  /** Leads the provider to the fake. */
  environment: NodeJS.ProcessEnv;
  /** What a person pastes to connect: another one each time where each works once. */
  pasted?: () => string;
  /** The person gives the consent that was begun, or refuses. @returns the address to which the vendor sends them back */
  decide?: (isGiven: boolean) => string;
  /** One that its search finds. */
  bank?: { country: string; name: string; id: string };
  /**
   * The vendor adds a transaction, or changes the one with this id. The amount is in the minor unit and has no sign: give
   * it the one that the vendor's documentation has for money into the account, or out of it.
   */
  put: (row: PlayedRow) => void;
  /** The vendor takes a transaction away, and says so. */
  remove?: (id: string) => void;
  /** The cursors that the vendor was asked with, in order; `null`: for everything. */
  cursors?: readonly (string | null)[];
  /** The vendor refuses the access from now on, until the person gives another. */
  endAccess?: () => void;
  /** The vendor says that there is something new, with its signature or a wrong one. */
  push?: (isSigned: boolean) => Promise<{ status: number }>;
  stop: () => Promise<unknown>;
}

export interface PlayedRow {
  id: string;
  date: string;
  amount: number;
  direction: 'in' | 'out';
  description: string;
  pending?: boolean;
  pendingId?: string;
}

/** Longer than any sync takes on a busy machine. */
const ATTEMPTS = 3_000;
const PAUSE_MS = 50;

/** A person who has given the consent, and the first sync of their connection. */
class Scene {
  private constructor(
    readonly vendor: PlayedVendor,
    readonly tidemark: Tidemark,
    readonly person: Person,
    readonly browser: Visitor,
  ) {}

  static async open(start: () => Promise<PlayedVendor>): Promise<Scene> {
    const vendor = await start();
    const tidemark = await startTidemark([], {
      environment: { ROLE: 'all', PROVIDER_ALLOW_PRIVATE_NETWORK: '1', ...vendor.environment },
      clock: new StillClock(),
      providers: [vendor.descriptor],
    }).catch(async (error: unknown) => {
      await vendor.stop();
      throw error;
    });
    const person = await tidemark.person();
    return new Scene(vendor, tidemark, person, await tidemark.browser(person));
  }

  async close(): Promise<void> {
    await this.tidemark.stop();
    await this.vendor.stop();
  }

  later(minutes: number): void {
    const { clock } = this.tidemark;
    clock.set(new Date(clock.now().getTime() + minutes * 60_000).toISOString());
  }

  /** Begins a consent on the pages, and comes back from the vendor. */
  async consent(isGiven = true, connection?: string): Promise<number> {
    const { descriptor, bank, decide } = this.vendor;
    const search = { provider: descriptor.name, ...(bank && { country: bank.country, search: bank.name }) };
    const from = connection
      ? `/connections/${connection}`
      : `/connections/new?${new URLSearchParams(search).toString()}`;
    const fields: Record<string, string> = connection
      ? { connection }
      : { provider: descriptor.name, institution: bank?.id ?? '', name: '', include_pending: 'on' };
    const begun = await this.browser.submit('/connections/new/consent', fields, from);
    assert.ok(begun.status < 300, begun.text);
    const back = new URL(decide!(isGiven));
    return (await this.browser.get(back.pathname + back.search)).status;
  }

  /** Connects, or gives a connection a new access. */
  async give(connection?: string): Promise<void> {
    const { descriptor, pasted } = this.vendor;
    if (!pasted) {
      assert.equal(await this.consent(true, connection), 303);
      return;
    }
    const path = '/api/v1/connections';
    const secret = { [descriptor.secret.field]: pasted() };
    const { status, body } = connection
      ? await this.person.put(`${path}/${connection}/credentials`, secret)
      : await this.person.post(path, { provider: descriptor.name, ...secret });
    assert.ok(status < 300, JSON.stringify(body));
  }

  async connected(): Promise<TestAnswer['body']> {
    await this.give();
    return this.ended((await this.connection()).latest_sync_id);
  }

  async connection(): Promise<TestAnswer['body']> {
    const { connections } = (await this.person.get('/api/v1/connections')).body;
    assert.equal(connections.length, 1);
    return connections[0];
  }

  async synced(): Promise<TestAnswer['body']> {
    const { id } = await this.connection();
    return this.ended((await this.person.post(`/api/v1/connections/${id}/sync`)).body.id);
  }

  async ended(syncId: string): Promise<TestAnswer['body']> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { body } = await this.person.get(`/api/v1/syncs/${syncId}`);
      if (!['queued', 'running'].includes(body.status)) return body;
      await wait(PAUSE_MS);
    }
    throw new Error('The sync does not end.');
  }

  /** What is stored: pending ones with a question mark. */
  async listed(): Promise<string[]> {
    const { transactions } = (await this.person.get('/api/v1/transactions?per_page=100')).body;
    const texts = transactions.map(
      (row: Record<string, unknown>) =>
        `${String(row.description)} ${String(row.amount_cents)}${row.pending ? '?' : ''}`,
    );
    return texts.sort();
  }
}

const SALARY = { id: 'T-0', date: '2026-03-13', amount: 2_000_00, direction: 'in', description: 'Salary' } as const;
const COFFEE = { id: 'T-1', date: '2026-03-10', amount: 4_50, direction: 'out', description: 'Coffee' } as const;
const RENT = { id: 'T-2', date: '2026-03-01', amount: 900_00, direction: 'out', description: 'Rent' } as const;
const FUEL = { ...COFFEE, id: 'T-3', date: '2026-03-14', amount: 30_00, description: 'Fuel', pending: true } as const;

interface Play {
  name: string;
  /** Is played only for a vendor that has these. */
  needs: readonly (keyof PlayedVendor)[];
  play: (scene: Scene, vendor: Required<PlayedVendor>) => Promise<void>;
}

const PLAYS: readonly Play[] = [
  {
    name: 'the first sync brings everything, the next one what is new, and money into the account is positive',
    needs: [],
    play: async (scene, vendor) => {
      for (const row of [SALARY, COFFEE, RENT, FUEL]) vendor.put(row);
      const { status, problems } = await scene.connected();
      assert.deepEqual([status, problems], ['succeeded', []]);
      assert.deepEqual(await scene.listed(), ['Coffee -450', 'Fuel -3000?', 'Rent -90000', 'Salary 200000']);
      assert.equal((await scene.connection()).staleness.level, 'fresh');
      vendor.put({ ...COFFEE, id: 'T-4', date: '2026-03-15' });
      assert.equal((await scene.synced()).status, 'succeeded');
      const all = ['Coffee -450', 'Coffee -450', 'Fuel -3000?', 'Rent -90000', 'Salary 200000'];
      assert.deepEqual(await scene.listed(), all);
    },
  },
  {
    name: 'a bank is found by its name',
    needs: ['bank'],
    play: async ({ person }, { bank, descriptor }) => {
      const query = new URLSearchParams({ provider: descriptor.name, country: bank.country, search: bank.name });
      const found = (await person.get(`/api/v1/institutions?${query.toString()}`)).body.institutions;
      assert.deepEqual(found, [{ id: bank.id, name: bank.name }]);
    },
  },
  {
    name: 'changes are added, changed, posted and removed, and all else stays',
    needs: ['cursors', 'remove'],
    play: async (scene, vendor) => {
      for (const row of [COFFEE, RENT, FUEL]) vendor.put(row);
      await scene.connected();
      assert.equal(vendor.cursors[0], null);
      vendor.remove(COFFEE.id);
      vendor.put({ ...RENT, amount: 950_00 });
      vendor.remove(FUEL.id);
      const posted = { date: '2026-03-15', amount: 41_30, description: 'SHELL 0442' };
      vendor.put({ id: 'T-4', direction: 'out', ...posted, pendingId: FUEL.id });
      const { counts } = await scene.synced();
      assert.deepEqual(await scene.listed(), ['Rent -95000', 'SHELL 0442 -4130']);
      assert.equal(counts.transactions_added, 0, 'the posted transaction is the pending one');
      assert.equal((await scene.synced()).counts.transactions_removed, 0);
      assert.deepEqual(await scene.listed(), ['Rent -95000', 'SHELL 0442 -4130']);
    },
  },
  {
    name: 'a crash between an answer and its commit loses no change',
    needs: ['cursors', 'remove'],
    play: async (scene, vendor) => {
      vendor.put(COFFEE);
      await scene.connected();
      const asked = vendor.cursors.length;
      vendor.put(RENT);
      vendor.remove(COFFEE.id);
      // The sync cannot end, as if the process had died after its rows.
      const database = scene.tidemark.em().getConnection();
      await database.execute(`alter table sync_runs add constraint crash check (status <> 'succeeded') not valid`);
      assert.equal((await scene.synced()).status, 'failed');
      await database.execute('alter table sync_runs drop constraint crash');
      assert.equal((await scene.synced()).status, 'succeeded');
      assert.deepEqual(await scene.listed(), ['Rent -90000']);
      const [first, ...later] = vendor.cursors.slice(asked);
      assert.ok(later.includes(first!), 'the same changes are asked for again');
    },
  },
  {
    name: 'an access that ends asks the person, and a new one continues where it stopped',
    needs: ['endAccess'],
    play: async (scene, vendor) => {
      vendor.put(COFFEE);
      await scene.connected();
      const { id } = await scene.connection();
      vendor.endAccess();
      assert.equal((await scene.synced()).problems[0].kind, 'access_revoked');
      assert.equal((await scene.connection()).status, 'attention_required');
      vendor.put(RENT);
      scene.later(10);
      await scene.give(id);
      const renewed = await scene.connection();
      assert.equal((await scene.ended(renewed.latest_sync_id)).status, 'succeeded');
      assert.deepEqual([renewed.id, (await scene.connection()).accounts_count], [id, 1]);
      assert.deepEqual(await scene.listed(), ['Coffee -450', 'Rent -90000']);
    },
  },
  {
    name: 'a consent that is refused, or finished twice, connects nothing, and one that is given says until when',
    needs: ['decide'],
    play: async (scene, vendor) => {
      assert.equal(await scene.consent(false), 422);
      assert.equal((await scene.person.get('/api/v1/connections')).body.connections.length, 0);
      assert.equal(await scene.consent(), 303);
      const again = new URL(vendor.decide(true));
      assert.equal((await scene.browser.get(again.pathname + again.search)).status, 410);
      const { id, latest_sync_id: syncId } = await scene.connection();
      await scene.ended(syncId);
      assert.notEqual((await scene.connection()).access_until, null);
      assert.match((await scene.browser.get(`/connections/${id}`)).text, /access until/);
    },
  },
  {
    name: 'a push syncs the connection, and one that is not signed does not',
    needs: ['push'],
    play: async (scene, vendor) => {
      await scene.connected();
      scene.later(10);
      vendor.put(COFFEE);
      assert.equal((await vendor.push(false)).status, 400);
      for (let times = 0; times < 2; times++) assert.equal((await vendor.push(true)).status, 204);
      const { syncs } = (await scene.person.get('/api/v1/syncs')).body;
      for (const { id } of syncs) await scene.ended(id);
      assert.deepEqual(await scene.listed(), ['Coffee -450']);
    },
  },
];

/**
 * What a provider is held to: it is played in the service, against a fake of its vendor. Works with any test runner.
 *
 * @param start makes a new fake for each play, and one to see what the vendor does
 * @example for (const { name, run } of await providerSuite(play)) test(name, run);
 */
export async function providerSuite(
  start: () => Promise<PlayedVendor>,
): Promise<{ name: string; run: () => Promise<void> }[]> {
  const vendor = await start();
  await vendor.stop();
  if (!vendor.pasted && !vendor.decide) throw new Error('A played vendor has `pasted` or `decide`.');
  return PLAYS.filter(({ needs }) => needs.every((member) => vendor[member] !== undefined)).map(({ name, play }) => ({
    name,
    run: async () => {
      const scene = await Scene.open(start);
      try {
        await play(scene, scene.vendor as Required<PlayedVendor>);
      } finally {
        await scene.close();
      }
    },
  }));
}
