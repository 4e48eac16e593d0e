import fc from 'fast-check';
import { tenthOfExamples } from '../../test/support/tier.js';
import { addDays, dateOfUnixSeconds, unixSecondsOf } from '../../src/platform/time/calendar-date.js';
import { eachDay } from '../../test/support/each-day.js';
import { balanceMinor, cashMinor, type HouseholdAccount } from '../household.js';
import { householdAbroad } from './household-abroad.js';

const TODAY = '2026-11-21';
const householdOn = householdAbroad();
const aDay = fc.integer({ min: 0, max: 1400 }).map((ago) => addDays(TODAY, -ago));
const booked = ({ transactions }: HouseholdAccount) => transactions.filter(({ posted }) => posted !== null);
const holds = ({ transactions }: HouseholdAccount) => transactions.filter(({ posted }) => posted === null);

describe('the household abroad', () => {
  it('the household abroad is always the same for the same seed and day', () => {
    expect(householdAbroad()('2025-03-01')).toEqual(householdOn('2025-03-01'));
    expect(householdAbroad('another')(TODAY)).not.toEqual(householdOn(TODAY));
  });

  it('the household abroad only grows: posted transactions never change, and pending ones are posted within ten days', () => {
    fc.assert(
      fc.property(aDay, fc.integer({ min: 10, max: 40 }), (day, days) => {
        const later = householdOn(addDays(day, days)).accounts.map(booked);
        for (const [index, account] of householdOn(day).accounts.entries()) {
          expect(later[index]!.slice(0, booked(account).length)).toEqual(booked(account));
          const origins = new Set(later[index]!.map(({ originId }) => originId));
          expect(holds(account).every(({ originId }) => origins.has(originId))).toBe(true);
        }
      }),
      { numRuns: tenthOfExamples(30) },
    );
  });

  it('the balances of the household abroad are the sums of its transactions and securities on every day', () => {
    fc.assert(
      fc.property(aDay, (day) => {
        const then = householdOn(day).accounts;
        for (const [index, account] of householdOn(TODAY).accounts.entries()) {
          const { holdings } = then[index]!;
          expect(cashMinor(account, unixSecondsOf(day))).toBe(cashMinor(then[index]!));
          expect(balanceMinor(then[index]!) - cashMinor(then[index]!)).toBe(
            holdings.reduce((sum, { valueMinor }) => sum + valueMinor, 0),
          );
        }
      }),
      { numRuns: tenthOfExamples(40) },
    );
  });

  it('the household abroad never overdraws, owes on its card and usually has a pending transaction', () => {
    const days = eachDay('2025-11-21', TODAY);
    const withoutHold = days.filter((day) => {
      const { accounts } = householdOn(day);
      const [current, savings, card, sterling, yen, portfolio] = accounts.map((account) => cashMinor(account));
      expect(Math.min(current!, savings!, sterling!, yen!, portfolio!)).toBeGreaterThan(0);
      expect(card!).toBeLessThanOrEqual(0);
      return accounts.flatMap(holds).length === 0;
    });
    expect(withoutHold.length).toBeLessThan(days.length / 10);
  });

  it('the household abroad has realistic recurring transactions', () => {
    const [current, savings, , sterling, yen, portfolio] = householdOn(TODAY).accounts;
    const lastYear = (account: HouseholdAccount | undefined, text: string) =>
      booked(account!).filter(
        (row) => `${row.description} ${row.memo}`.includes(text) && dateOfUnixSeconds(row.posted!) >= '2025-11-22',
      );
    expect(lastYear(current, 'SALARIS')).toHaveLength(12);
    expect(lastYear(current, 'HUUR')).toHaveLength(12);
    expect(lastYear(savings, 'RÄNTA')).toHaveLength(4);
    expect(lastYear(sterling, 'HARROW')).toHaveLength(12);
    expect(lastYear(yen, '振込').length).toBeGreaterThan(11);
    expect(lastYear(portfolio, 'BUY VLAK')).toHaveLength(12);
    const trams = lastYear(current, 'STADSTRAM').map(({ posted, amountMinor }) => `${posted} ${amountMinor}`);
    expect(new Set(trams).size).toBeLessThan(trams.length - 20);
  });

  it('the household abroad holds a fund with a cost, a stock in dollars without one and a pension without ticker or ISIN', () => {
    const [fund, stock, pension] = householdOn(TODAY).accounts.at(-1)!.holdings;
    expect(fund).toMatchObject({ symbol: 'VLAK', isin: expect.stringMatching(/^IE/), costMinor: expect.any(Number) });
    expect(stock!.traded).toMatchObject({ currency: 'USD', costMinor: 0 });
    expect(stock!.traded!.valueMinor).toBeGreaterThan(stock!.valueMinor);
    expect(pension).toMatchObject({ symbol: '', shares: '100.0001', costMinor: 0 });
  });
});
