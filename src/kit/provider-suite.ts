import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProviderDescriptor } from '../providers/provider-descriptor.js';
import { type Person, startTidemark, StillClock, type TestAnswer, type Tidemark } from './testing.js';
import type { Visitor } from './visitor.js';

/** A provider beside a fake of its vendor, at which a person has one account without transactions. */
export interface PlayedVendor {
  descriptor: ProviderDescriptor;
  /** Leads the provider to the fake. */
  environment: NodeJS.ProcessEnv;
  /** One that its search finds. */
  bank: { country: string; name: string; id: string };
  /** The vendor adds a transaction, or changes the one with this id. The amount is in the minor unit. */
  put: (row: {
    id: string;
    date: string;
    amount: number;
    description: string;
    pending?: boolean;
    pendingId?: string;
  }) => void;
  remove: (id: string) => void;
  /** The cursors that the vendor was asked with, in order; `null`: for everything. */
  cursors: readonly (string | null)[];
  /** The person gives the consent that was begun, or refuses. @returns the address to which the vendor sends them back */
  decide: (isGiven: boolean) => string;
  /** The consent ends, until another is given. */
  endConsent: () => void;
  /** The vendor says that there is something new, with its signature or a wrong one. */
  push: (isSigned: boolean) => Promise<{ status: number }>;
  stop: () => Promise<unknown>;
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
    const search = new URLSearchParams({
      provider: descriptor.name,
      country: bank.country,
      search: bank.name,
    }).toString();
    const from = connection ? `/connections/${connection}` : `/connections/new?${search}`;
    const fields: Record<string, string> = connection
      ? { connection }
      : { provider: descriptor.name, institution: bank.id, name: '', include_pending: 'on' };
    const begun = await this.browser.submit('/connections/new/consent', fields, from);
    assert.ok(begun.status < 300, begun.text);
    const back = new URL(decide(isGiven));
    return (await this.browser.get(back.pathname + back.search)).status;
  }

  async connected(): Promise<TestAnswer['body']> {
    assert.equal(await this.consent(), 303);
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

const COFFEE = { id: 'T-1', date: '2026-03-10', amount: -4_50, description: 'Coffee' };
const RENT = { id: 'T-2', date: '2026-03-01', amount: -900_00, description: 'Rent' };
const FUEL = { id: 'T-3', date: '2026-03-14', amount: -30_00, description: 'Fuel', pending: true };

const PLAYS: Record<string, (scene: Scene) => Promise<void>> = {
  'a bank is found, the consent connects it, and its first sync brings everything': async (scene) => {
    const { vendor, person } = scene;
    const { bank, descriptor } = vendor;
    const query = new URLSearchParams({ provider: descriptor.name, country: bank.country, search: bank.name });
    const found = (await person.get(`/api/v1/institutions?${query.toString()}`)).body.institutions;
    assert.deepEqual(found, [{ id: bank.id, name: bank.name }]);
    for (const row of [COFFEE, RENT, FUEL]) vendor.put(row);
    const { status, problems } = await scene.connected();
    assert.deepEqual([status, problems], ['succeeded', []]);
    assert.deepEqual(await scene.listed(), ['Coffee -450', 'Fuel -3000?', 'Rent -90000']);
    assert.equal(vendor.cursors[0], null);
    assert.equal((await scene.connection()).staleness.level, 'fresh');
  },
  'changes are added, changed, posted and removed, and all else stays': async (scene) => {
    const { vendor } = scene;
    for (const row of [COFFEE, RENT, FUEL]) vendor.put(row);
    await scene.connected();
    vendor.remove(COFFEE.id);
    vendor.put({ ...RENT, amount: -950_00 });
    vendor.remove(FUEL.id);
    vendor.put({ id: 'T-4', date: '2026-03-15', amount: -41_30, description: 'SHELL 0442', pendingId: FUEL.id });
    const { counts } = await scene.synced();
    assert.deepEqual(await scene.listed(), ['Rent -95000', 'SHELL 0442 -4130']);
    assert.equal(counts.transactions_added, 0, 'the posted transaction is the pending one');
    assert.equal((await scene.synced()).counts.transactions_removed, 0);
    assert.deepEqual(await scene.listed(), ['Rent -95000', 'SHELL 0442 -4130']);
  },
  'a crash between an answer and its commit loses no change': async (scene) => {
    const { vendor, tidemark } = scene;
    vendor.put(COFFEE);
    await scene.connected();
    const asked = vendor.cursors.length;
    vendor.put(RENT);
    vendor.remove(COFFEE.id);
    // The sync cannot end, as if the process had died after its rows.
    const database = tidemark.em().getConnection();
    await database.execute(`alter table sync_runs add constraint crash check (status <> 'succeeded') not valid`);
    assert.equal((await scene.synced()).status, 'failed');
    await database.execute('alter table sync_runs drop constraint crash');
    assert.equal((await scene.synced()).status, 'succeeded');
    assert.deepEqual(await scene.listed(), ['Rent -90000']);
    const [first, ...later] = vendor.cursors.slice(asked);
    assert.ok(later.includes(first!), 'the same changes are asked for again');
  },
  'a consent that ends asks the person, and a new one continues where it stopped': async (scene) => {
    const { vendor, browser } = scene;
    vendor.put(COFFEE);
    await scene.connected();
    const { id, access_until: until } = await scene.connection();
    assert.notEqual(until, null);
    assert.match((await browser.get(`/connections/${id}`)).text, /access until/);
    vendor.endConsent();
    assert.equal((await scene.synced()).problems[0].kind, 'access_revoked');
    assert.equal((await scene.connection()).status, 'attention_required');
    vendor.put(RENT);
    scene.later(10);
    assert.equal(await scene.consent(true, id), 303);
    const renewed = await scene.connection();
    assert.equal((await scene.ended(renewed.latest_sync_id)).status, 'succeeded');
    assert.deepEqual([renewed.id, (await scene.connection()).accounts_count], [id, 1]);
    assert.deepEqual(await scene.listed(), ['Coffee -450', 'Rent -90000']);
  },
  'a consent that is refused, or finished twice, connects nothing': async (scene) => {
    assert.equal(await scene.consent(false), 422);
    assert.equal((await scene.person.get('/api/v1/connections')).body.connections.length, 0);
    assert.equal(await scene.consent(), 303);
    const again = new URL(scene.vendor.decide(true));
    assert.equal((await scene.browser.get(again.pathname + again.search)).status, 410);
    await scene.connection();
  },
  'a push syncs the connection, and one that is not signed does not': async (scene) => {
    const { vendor, person } = scene;
    await scene.connected();
    scene.later(10);
    vendor.put(COFFEE);
    assert.equal((await vendor.push(false)).status, 400);
    for (let times = 0; times < 2; times++) assert.equal((await vendor.push(true)).status, 204);
    const { syncs } = (await person.get('/api/v1/syncs')).body;
    for (const { id } of syncs) await scene.ended(id);
    assert.deepEqual(await scene.listed(), ['Coffee -450']);
  },
};

/**
 * What a provider with consents, changes and pushes is held to: it is played in the service, against a fake of its vendor.
 * Works with any test runner.
 *
 * @param start makes a new fake for each play
 * @example for (const { name, run } of providerSuite(play)) test(name, run);
 */
export function providerSuite(start: () => Promise<PlayedVendor>): { name: string; run: () => Promise<void> }[] {
  return Object.entries(PLAYS).map(([name, play]) => ({
    name,
    run: async () => {
      const scene = await Scene.open(start);
      try {
        await play(scene);
      } finally {
        await scene.close();
      }
    },
  }));
}
