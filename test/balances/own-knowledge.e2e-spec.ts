import { randomUUID } from 'node:crypto';
import { pick, randomStream, wholeBetween } from '../../sandbox/random.js';
import { HistoryRebuildService } from '../../src/balances/history/history-rebuild.service.js';
import { ChangeFactsService } from '../../src/balances/own-knowledge/change-facts.service.js';
import { ImportedListsService, type NewList } from '../../src/balances/own-knowledge/imported-lists.service.js';
import { Correction, OwnRow, StatedBalance } from '../../src/balances/own-knowledge/own-knowledge.entities.js';
import { Connection } from '../../src/sync/connections/connection.entity.js';
import { MergeAccountsService } from '../../src/sync/ingest/merge/merge-accounts.service.js';
import { addDays, type CalendarDate, daysBetween } from '../../src/platform/time/calendar-date.js';
import { createClient, startTestApp, StillClock, type TestApp } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { TIER } from '../support/tier.js';

const START = '2026-01-01';
const DAYS = 110;
/** Of which days the bank lists transactions. */
const WINDOW = 40;
const SEEDS = TIER === 'test' ? 6 : 300;

interface TrueRow {
  date: CalendarDate;
  amountMinor: number;
  text: string;
}

/** What a bank and a person's memory have of one account. */
interface Life {
  rows: readonly TrueRow[];
  /** At the end of a day. */
  balanceOn: (day: CalendarDate) => number;
}

/** The same numbers for the same seed. */
class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomStream(`own knowledge ${seed}`);
  }

  pick<T>(items: readonly T[]): T {
    return pick(this.#next, items);
  }

  integer(min: number, max: number): number {
    return wholeBetween(this.#next, min, max);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }
}

function playLife(random: Random): Life {
  const rows = Array.from({ length: 130 }, (_, index): TrueRow => {
    const amountMinor = random.pick([-350, -350, -999, -2_000, -4_321, 150_000, random.integer(-9_999, 9_999) || 1]);
    return { date: addDays(START, random.integer(0, DAYS)), amountMinor, text: `Row ${index}` };
  }).sort((a, b) => (a.date < b.date ? -1 : 1));
  const balanceOn = (day: CalendarDate) =>
    rows.reduce((sum, { date, amountMinor }) => sum + (date <= day ? amountMinor : 0), 50_000);
  return { rows, balanceOn };
}

describe('facts of files and people', () => {
  let tidemark: TestApp;
  const clock = new StillClock();

  beforeAll(async () => {
    tidemark = await startTestApp({}, clock);
  });
  afterAll(() => tidemark.stop());

  /** A person with one account at a bank. */
  async function person(life: Life) {
    const { userId } = await createClient(tidemark);
    let connection = await createConnection(tidemark, userId);
    let accountId = '';
    let externalId = 'one';
    const sync = async (today: CalendarDate, issue: number) => {
      clock.set(`${today}T12:00:00Z`);
      const from = addDays(today, -WINDOW);
      const listed = life.rows
        .map((row, index) => ({ ...row, index }))
        .filter(({ date }) => date >= from && date <= today);
      const transactions = listed.map(({ date, amountMinor, text, index }) =>
        transaction(date, amountMinor, { externalId: `${issue} ${index}`, description: text }),
      );
      const snapshot = snapshotAccount({
        ...{ externalId, transactions, balance: balance(life.balanceOn(today)) },
        covered: [{ from, until: '9999-12-31' }],
      });
      const written = await writeSnapshot(tidemark, connection, snapshot);
      accountId ||= written.accountId;
      return written.accountId;
    };
    return {
      userId,
      caller: { userId, timeZone: 'UTC' },
      accountId: () => accountId,
      sync,
      /** The bank gets another connection, whose account is merged into the first. */
      move: async (today: CalendarDate, issue: number) => {
        const old = connection;
        connection = await createConnection(tidemark, userId);
        externalId = `${externalId} again`;
        await tidemark.em().nativeUpdate(Connection, { userId, id: old.id }, { status: 'attention_required' });
        const replacementId = await sync(today, issue);
        await tidemark.app
          .get(MergeAccountsService)
          .merge(userId, [{ disconnectedId: accountId, replacementId }], today);
      },
      rebuild: () => tidemark.app.get(HistoryRebuildService).run(accountId),
      /** All that lists show of it, but for ids and moments. */
      shown: async () => ({
        balances: await rowsOf('balances', userId),
        transactions: await rowsOf('transactions', userId),
        uncertain: await rowsOf('uncertain_days', userId),
      }),
    };
  }

  async function rowsOf(table: string, userId: string): Promise<string[]> {
    const rows = await tidemark
      .em()
      .getConnection()
      .execute<{ row: string }[]>(
        `select (to_jsonb(t) - array['user_id', 'account_id', 'id', 'external_id', 'created_at', 'updated_at'])::text as row
        from ${table} t where user_id = ?`,
        [userId],
      );
    return rows.map(({ row }) => row).sort();
  }

  type Person = Awaited<ReturnType<typeof person>>;

  /** Does one thing at random, and gives what takes it back. */
  async function say({ caller, accountId, userId }: Person, life: Life, random: Random, today: CalendarDate) {
    const facts = tidemark.app.get(ChangeFactsService);
    const lists = tidemark.app.get(ImportedListsService);
    const id = accountId();
    const day = () => addDays(START, random.integer(0, daysBetween(START, today)));
    switch (random.pick(['list', 'list', 'statement', 'correction', 'row'])) {
      case 'list': {
        const listId = await lists.add(caller, id, listOf(life, random, day(), day()));
        return () => lists.remove(caller, listId);
      }
      case 'statement': {
        const statedId = randomUUID();
        const date = day();
        const balanceMinor = life.balanceOn(date) + random.pick([0, 0, 500]);
        await facts.change(caller, id, 'stated_balance', ({ em, now }) => {
          const stated = { userId, accountId: id, id: statedId, listId: null, date, balanceMinor, currency: 'USD' };
          return em.insert(StatedBalance, { ...stated, prevails: random.chance(0.5), createdAt: now });
        });
        return () =>
          facts.change(caller, id, 'stated_balance', ({ em }) =>
            em.nativeDelete(StatedBalance, { userId, id: statedId }),
          );
      }
      case 'correction': {
        const rows = await tidemark
          .em()
          .getConnection()
          .execute<{ id: string }[]>(
            'select id from transactions where user_id = ? order by date, amount_minor, description',
            [userId],
          );
        const transactionId = random.pick(rows).id;
        const said = random.pick([{ date: day() }, { amountMinor: -777 }, { excluded: true }, { note: 'Mine' }]);
        await facts.change(caller, id, 'corrected', async ({ em, now }) => {
          await em.nativeDelete(Correction, { userId, transactionId });
          const nothing = { date: null, amountMinor: null, excluded: null, note: null };
          const times = { createdAt: now, updatedAt: now };
          await em.insert(Correction, { userId, accountId: id, transactionId, ...nothing, ...said, ...times });
        });
        return () =>
          facts.change(caller, id, 'corrected', ({ em }) => em.nativeDelete(Correction, { userId, transactionId }));
      }
      default: {
        const rowId = randomUUID();
        const { date, amountMinor } = random.pick(life.rows);
        await facts.change(caller, id, 'corrected', ({ em, now }) =>
          em.insert(OwnRow, {
            ...{
              userId,
              accountId: id,
              id: rowId,
              listId: null,
              date,
              amountMinor,
              currency: 'USD',
              description: 'Mine',
            },
            ...{ merchant: null, standing: 'left_out', pairedWith: null, createdAt: now },
          }),
        );
        return () => facts.change(caller, id, 'corrected', ({ em }) => em.nativeDelete(OwnRow, { userId, id: rowId }));
      }
    }
  }

  function listOf(life: Life, random: Random, one: CalendarDate, other: CalendarDate): NewList {
    const [first, last] = one < other ? [one, other] : [other, one];
    const shift = random.pick([0, 0, 2]);
    const rows = life.rows
      .filter(({ date }) => date >= first && date <= last)
      .filter(() => random.chance(0.97))
      .map(({ date, amountMinor, text }) => ({
        date: addDays(date, shift),
        amountMinor,
        description: text,
        merchant: null,
      }));
    const balances = random.chance(0.5) ? [{ date: last, balanceMinor: life.balanceOn(last) }] : [];
    return { name: 'file.csv', currency: 'USD', rows, balances, covered: { first, last: addDays(last, shift) } };
  }

  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'everything that a person has said can be taken back, whatever syncs, merges and rebuilds came between (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const life = playLife(random);
      const [speaking, silent] = [await person(life), await person(life)];
      const undo: (() => Promise<unknown>)[] = [];
      let issue = 0;
      let today = addDays(START, 50);
      for (const one of [speaking, silent]) await one.sync(today, issue);
      for (let step = 0; step < 12; step++) {
        const what = random.pick(['say', 'say', 'say', 'undo', 'sync', 'sync', 'issue', 'move', 'rebuild']);
        if (what === 'say') undo.push(await say(speaking, life, random, today));
        if (what === 'undo' && undo.length > 0) await undo.splice(random.integer(0, undo.length - 1), 1)[0]!();
        if (what === 'issue') issue++;
        if (what === 'sync' || what === 'issue' || what === 'move') {
          today = addDays(today, random.integer(1, 6));
          for (const one of [speaking, silent])
            await one[what === 'move' ? 'move' : 'sync'](today, what === 'move' ? issue + 1 : issue);
          if (what === 'move') issue++;
        }
        if (what === 'rebuild') await Promise.all([speaking.rebuild(), silent.rebuild()]);
      }
      for (const { takeBack } of undo
        .map((takeBack) => ({ takeBack, at: random.chance(0.5) ? 0 : 1 }))
        .sort((a, b) => a.at - b.at))
        await takeBack();
      expect(await speaking.shown()).toEqual(await silent.shown());
    },
  );
});
