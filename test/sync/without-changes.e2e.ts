import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import pg from 'pg';
import { QUEUE, SyncRunsService } from '../../src/sync/runs/sync-runs.service.js';
import { SyncConnectionService } from '../../src/sync/sync-connection.service.js';
import { addDays } from '../../src/platform/time/calendar-date.js';
import { accountsOf, userOf } from '../support/instant-bank.js';
import { wireHold } from '../support/scripted-us-provider.js';
import { SyncScene, TODAY } from '../support/sync-scene.js';
import { ended } from '../support/syncs.js';

/** What two requests to the provider and a run with its lease, its job and its place in the change log take. */
const MOST_STATEMENTS = 34;

/** What a sync may write of a person, and one without changes does not. */
const FACTS = ['accounts', 'transactions', 'transaction_versions', 'observations', 'holdings'];
const DERIVED = ['balances', 'balance_spans', 'balance_versions', 'uncertain_days'];

interface WireAccount {
  id: string;
  name: string;
  transactions: Record<string, unknown>[];
  [field: string]: unknown;
}

type Person = Awaited<ReturnType<SyncScene['synced']>>;

let scene: SyncScene;
/** The statements of the sync that is counted, without those that other workers of this process send meanwhile. */
const counted = new AsyncLocalStorage<string[]>();
const sendQuery: (...query: unknown[]) => unknown = Reflect.get(pg.Client.prototype, 'query');
const query = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
  this: pg.Client,
  ...args: unknown[]
) {
  counted.getStore()?.push(textOf(args[0]));
  return sendQuery.apply(this, args);
});

beforeAll(async () => {
  scene = await SyncScene.start();
});
beforeEach(() => {
  scene.bank.play(null);
  scene.tidemark.clock.set(`${TODAY}T12:00:00Z`);
});
afterAll(async () => {
  await scene.stop();
  query.mockRestore();
});

/** The bank's accounts from now on, as they were but for what `change` does to them. */
function play(user: string, change: (accounts: WireAccount[]) => void): void {
  const body = accountsOf(user, TODAY, 3) as { accounts: WireAccount[] };
  change(body.accounts);
  scene.bank.play(() => ({ body }));
}

/** A sync as the schedule asks for it. @returns its run */
async function sync({ client, connection }: Person) {
  const service = scene.tidemark.app.get(SyncRunsService);
  const { id } = await service.request(client.userId, connection.id, 'schedule');
  return ended(client, id);
}

/** The statements of the sync alone: its job is made by hand, and nobody looks how far it is. */
async function statementsOf(person: Person): Promise<string[]> {
  const run = await sync(person);
  const [row] = await scene.execute(
    `update sync_runs set status = 'queued', finished_at = null, accounts = '[]' where id = ?
     returning user_id as "userId", id as "runId", attempt`,
    [run.id],
  );
  const job = { name: QUEUE, id: run.id, data: row, retryCount: row!.attempt };
  const statements: string[] = [];
  const service = scene.tidemark.app.get(SyncConnectionService);
  await counted.run(statements, () => service.run(job as never, new AbortController().signal));
  return statements;
}

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : String((statement as { text: unknown }).text);
}

const rowsOf = ({ client }: Person) => scene.rowsOf(client.userId, [...FACTS, ...DERIVED]);

describe('a sync without changes', () => {
  it('a sync without changes runs few database statements', async () => {
    const statements = await statementsOf(await scene.synced());
    expect(statements.length).toBeGreaterThan(10);
    expect(statements.length > MOST_STATEMENTS ? statements : []).toEqual([]);
  });

  it('a sync without changes runs few database statements if no account has a history because all are in miles', async () => {
    scene.bank.play((request) => {
      const body = accountsOf(userOf(request), TODAY, 3) as { accounts: WireAccount[] };
      return { body: { ...body, accounts: body.accounts.map((account) => ({ ...account, currency: 'miles' })) } };
    });
    const statements = await statementsOf(await scene.synced());
    expect(statements.length > MOST_STATEMENTS ? statements : []).toEqual([]);
  });

  it('a sync without changes counts its accounts and writes nothing of them', async () => {
    const person = await scene.synced();
    const before = await rowsOf(person);
    const run = await sync(person);
    expect(run).toMatchObject({ status: 'succeeded', progress: { accounts_done: 3, accounts_total: 3 }, problems: [] });
    const nothing = { transactions_added: 0, transactions_updated: 0, transactions_removed: 0, balances_written: 0 };
    expect(run.counts).toEqual({ accounts: 3, ...nothing });
    expect(run.accounts.map((account: object) => ({ ...account, ...nothing }))).toEqual(run.accounts);
    expect(run.accounts).toHaveLength(3);
    expect(await rowsOf(person)).toEqual(before);
  });
});

describe('a sync with changes', () => {
  const first = (accounts: WireAccount[]) => accounts[0]!;
  const changes: [string, (accounts: WireAccount[]) => void, object][] = [
    [
      'a new transaction',
      (accounts) => first(accounts).transactions.push({ ...first(accounts).transactions[0], id: 'new' }),
      { transactions_added: 1 },
    ],
    [
      'a changed transaction',
      (accounts) => (first(accounts).transactions[0]!['description'] = 'MARKET'),
      { transactions_updated: 1 },
    ],
    [
      'that a transaction is no longer listed',
      (accounts) => first(accounts).transactions.shift(),
      { transactions_removed: 1 },
    ],
    ['a pending transaction', addHold, { transactions_added: 1 }],
    [
      'another balance',
      (accounts) => (first(accounts)['balance'] = '101.00'),
      { balances_written: expect.any(Number) },
    ],
  ];

  it.each(changes)('a sync stores %s', async (_what, change, expected) => {
    const person = await scene.synced();
    const before = await rowsOf(person);
    play(person.user, change);
    expect(await sync(person)).toMatchObject({ status: 'succeeded', counts: { accounts: 3, ...expected } });
    expect(await rowsOf(person)).not.toEqual(before);
  });

  it('a sync stores another account name, and adds the balances of another day', async () => {
    const person = await scene.synced();
    play(person.user, (accounts) => (first(accounts).name = 'Everyday'));
    await sync(person);
    const names = await scene.execute('select name from accounts where user_id = ? order by name', [
      person.client.userId,
    ]);
    expect(names.map(({ name }) => name)).toEqual(['Account 1', 'Account 2', 'Everyday']);
    scene.tidemark.clock.set(`${addDays(TODAY, 1)}T12:00:00Z`);
    expect(await sync(person)).toMatchObject({ counts: { balances_written: 3 } });
  });

  it('a sync clears the missing mark of a pending transaction that is listed again', async () => {
    const person = await scene.synced();
    const missing = async () =>
      (
        await scene.execute('select missing_since from transactions where user_id = ? and pending', [
          person.client.userId,
        ])
      ).map(({ missing_since }) => missing_since !== null);
    play(person.user, addHold);
    await sync(person);
    play(person.user, () => undefined);
    await sync(person);
    expect(await missing()).toEqual([true]);
    play(person.user, addHold);
    await sync(person);
    expect(await missing()).toEqual([false]);
  });

  it('a sync makes a missing account active again when it is listed again', async () => {
    const person = await scene.synced();
    const statuses = async () =>
      (await scene.execute('select status from accounts where user_id = ? order by name', [person.client.userId])).map(
        ({ status }) => status,
      );
    play(person.user, (accounts) => accounts.pop());
    await sync(person);
    expect(await statuses()).toEqual(['active', 'active', 'missing']);
    play(person.user, () => undefined);
    await sync(person);
    expect(await statuses()).toEqual(['active', 'active', 'active']);
  });

  function addHold(accounts: WireAccount[]): void {
    first(accounts).transactions.push(wireHold('hold', addDays(TODAY, -1), '-7.00') as Record<string, unknown>);
  }
});
