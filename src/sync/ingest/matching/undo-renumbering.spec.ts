import fc from 'fast-check';
import type { SnapshotTransaction } from '../../../providers/bank-provider.js';
import { addDays } from '../../../platform/time/calendar-date.js';
import { MAX_DAYS_MOVED } from '../../../balances/engine/ledger.js';
import { undoRenumbering } from './undo-renumbering.js';

describe('undoRenumbering', () => {
  const listed = (externalId: string, date: string, amountMinor: number) => {
    return { externalId, date, amountMinor, currency: 'USD', description: 'Shop', merchant: null, pending: false };
  };
  const stored = [
    listed('1', '2026-03-01', -100),
    listed('2', '2026-03-02', -200),
    listed('3', '2026-03-03', -300),
    listed('4', '2026-03-04', -400),
  ];

  it('transactions keep their stored ids, and new ones get other ids, if the bank numbers the rows of its list', () => {
    const moved = stored.slice(1).map((row, place) => ({ ...row, externalId: String(place + 1) }));
    const fresh = listed('4', '2026-03-05', -500);
    const renumbered = undoRenumbering([...moved, fresh], stored);
    expect(moved.map((row) => renumbered.get(row))).toEqual(stored.slice(1));
    expect(renumbered.get(fresh)).toMatchObject({ date: '2026-03-05', externalId: expect.stringMatching(/^4:./) });
  });

  it.each([
    ['no transaction is stored under another id', [listed('1', '2026-04-01', -100), listed('2', '2026-04-02', -200)]],
    ['the bank changed the transactions', [listed('1', '2026-03-01', -120), listed('2', '2026-03-03', -200)]],
    ['only one transaction equals another stored one', [listed('1', '2026-03-02', -200)]],
    [
      'only half of the transactions equal other stored ones',
      [
        listed('1', '2026-03-02', -200),
        listed('2', '2026-03-01', -100),
        listed('3', '2026-03-03', -1),
        listed('4', '2026-03-04', -2),
      ],
    ],
  ])('ids are kept as listed if %s', (_, rows) => {
    expect(undoRenumbering(rows, stored)).toEqual(new Map());
  });

  it('transactions keep their stored ids in a numbered list although most of its transactions are new', () => {
    const january = stored.map((row) => ({ ...row, date: row.date.replace('-03-', '-01-') }));
    const known = stored.map((row) => ({ ...row, externalId: `${row.externalId}:own` }));
    const moved = stored.slice(2).map((row, place) => ({ ...row, externalId: String(place + 1) }));
    const fresh = ['3', '4', '5', '6'].map((place) => listed(place, `2026-03-2${place}`, -900));
    const renumbered = undoRenumbering([...moved, ...fresh], [...january, ...known]);
    expect([...moved, ...fresh].map((row) => renumbered.get(row)?.externalId)).toEqual([
      ...['3:own', '4:own'],
      ...['3', '4', '5', '6'].map((place) => expect.stringMatching(new RegExp(`^${place}:.{36}$`))),
    ]);
  });

  it('a transaction keeps its stored id in a numbered list although it was re-dated', () => {
    const moved = stored.slice(1).map((row, place) => ({ ...row, externalId: String(place + 1) }));
    const redated = { ...moved[2]!, date: '2026-03-06' };
    const renumbered = undoRenumbering([...moved.slice(0, 2), redated], stored);
    expect(renumbered.get(redated)).toEqual({ ...redated, externalId: '4' });
  });

  /** What is stored once an answer has come that the bank's ids or these explain. */
  function storedAfter(known: readonly SnapshotTransaction[], answer: readonly SnapshotTransaction[]) {
    const contents = new Set(known.map((row) => JSON.stringify(row)));
    const unmatched = answer.filter((row) => !contents.has(JSON.stringify(row)));
    const renumbered = undoRenumbering(unmatched, known);
    const byId = new Map(known.map((row) => [row.externalId, row]));
    for (const row of answer) {
      const same = renumbered.get(row) ?? row;
      byId.set(same.externalId, same);
    }
    return [...byId.values()];
  }

  it.each([
    ['a day later', 3, 1, 0],
    ['a day earlier, beyond the listed days', 60, -1, 30],
  ])('stable ids are not taken for row numbers if equal transactions are all dated %s', (_, count, moved, unlisted) => {
    const known = Array.from({ length: count }, (_, day) => listed(`S-${day}`, addDays('2026-01-01', day), -290));
    const redated = known.slice(unlisted).map((row) => ({ ...row, date: addDays(row.date, moved) }));
    const answer = unlisted > 0 ? [...redated.slice(1), listed('new', known.at(-1)!.date, -290)] : redated;
    expect(storedAfter(known, answer)).toHaveLength(unlisted > 0 ? count + 1 : count);
  });

  it('stable ids are never taken for row numbers, however the bank moves dates', () => {
    const moved = fc.integer({ min: -MAX_DAYS_MOVED, max: MAX_DAYS_MOVED });
    // Equal moves of equal transactions of successive days put each on the day of another.
    const moves = fc.oneof(
      moved.map((days) => [days]),
      fc.array(moved, { minLength: 1, maxLength: 4 }),
    );
    const amounts = fc.array(fc.constantFrom(-290, -290, -290, 500), { maxLength: 20 });
    fc.assert(
      fc.property(amounts, moves, fc.nat({ max: 12 }), fc.nat({ max: 4 }), (drawn, days, from, more) => {
        const [first, added] = [addDays('2026-03-01', from), '2026-03-21'];
        const known = drawn.map((amountMinor, day) => listed(`S-${day}`, addDays('2026-03-01', day), amountMinor));
        const redated = known.map((row, index) => ({ ...row, date: addDays(row.date, days[index % days.length]!) }));
        const fresh = Array.from({ length: more }, (_, index) => listed(`N-${index}`, added, -290));
        const after = storedAfter(known, [...redated.filter(({ date }) => date >= first), ...fresh]);
        expect(after.map(({ amountMinor }) => amountMinor)).toEqual(
          [...known, ...fresh].map(({ amountMinor }) => amountMinor),
        );
      }),
    );
  });
});
