import fc from 'fast-check';
import { tenthOfExamples } from '../../test/support/tier.js';
import { addDays, dateOfUnixSeconds, unixSecondsOf } from '../../src/platform/time/calendar-date.js';
import { eachDay } from '../../test/support/each-day.js';
import { balanceMinor, cashMinor, type HouseholdAccount, type Household } from '../household.js';
import { lifelikeHousehold } from './lifelike-household.js';

const TODAY = '2026-11-21';
const householdOn = lifelikeHousehold();
const aDay = fc.integer({ min: 0, max: 1400 }).map((ago) => addDays(TODAY, -ago));

describe('the lifelike household', () => {
  it('the lifelike household is always the same for the same seed and day', () => {
    const elsewhere = lifelikeHousehold();
    expect(elsewhere('2025-03-01')).toEqual(householdOn('2025-03-01'));
    expect(elsewhere(TODAY)).toEqual(householdOn(TODAY));
    expect(elsewhere('2025-03-01')).toEqual(lifelikeHousehold()('2025-03-01'));
  });

  it('the lifelike household has different ids for a different seed', () => {
    const ids = new Set(allIds(householdOn(TODAY)));
    expect(allIds(lifelikeHousehold('another')(TODAY)).filter((id) => ids.has(id))).toEqual([]);
  });

  it('the lifelike household only grows: posted transactions never change, and pending ones are posted within a week', () => {
    fc.assert(
      fc.property(aDay, fc.integer({ min: 1, max: 40 }), (day, days) => {
        const then = householdOn(day);
        const later = householdOn(addDays(day, days));
        for (const [index, account] of then.accounts.entries()) {
          const booked = bookedRows(later.accounts[index]!);
          expect(booked.slice(0, bookedRows(account).length)).toEqual(bookedRows(account));
          expect(booked.slice(bookedRows(account).length).every(({ posted }) => posted! >= unixSecondsOf(day))).toBe(
            true,
          );
          if (days < 7) continue;
          const origins = new Set(booked.map(({ originId }) => originId));
          expect(holds(account).every(({ originId }) => origins.has(originId))).toBe(true);
        }
      }),
      { numRuns: tenthOfExamples(30) },
    );
  });

  it('the balances of the lifelike household are the sums of its transactions and securities on every day', () => {
    fc.assert(
      fc.property(aDay, (day) => {
        const then = householdOn(day);
        for (const [index, account] of householdOn(TODAY).accounts.entries()) {
          const known = then.accounts[index]!;
          expect(cashMinor(account, unixSecondsOf(day))).toBe(cashMinor(known));
          const securities = known.holdings.filter(({ isCash }) => !isCash);
          expect(balanceMinor(known) - cashMinor(known)).toBe(sum(securities.map(({ valueMinor }) => valueMinor)));
        }
      }),
      { numRuns: tenthOfExamples(40) },
    );
  });

  it('each transaction of the lifelike household has an id unique in its account and a whole number of cents', () => {
    for (const { transactions } of householdOn(TODAY).accounts) {
      expect(new Set(transactions.map(({ id }) => id)).size).toBe(transactions.length);
      expect(transactions.every(({ amountMinor }) => Number.isSafeInteger(amountMinor) && amountMinor !== 0)).toBe(
        true,
      );
    }
  });

  it('the lifelike household has no transactions of today yet', () => {
    for (const account of householdOn(TODAY).accounts) {
      const instants = account.transactions.flatMap(({ posted, transactedAt }) => [posted ?? 0, transactedAt]);
      expect(Math.max(...instants)).toBeLessThan(unixSecondsOf(TODAY));
      expect(dateOfUnixSeconds(account.refreshedAt)).toBe(TODAY);
    }
  });

  it('the lifelike household has realistic recurring transactions', () => {
    const [checking, savings, card, loan, brokerage, yen] = householdOn(TODAY).accounts as Required<HouseholdAccount[]>;
    const lastYear = (account: HouseholdAccount | undefined, description: string) =>
      bookedRows(account!).filter(
        (row) => row.description.includes(description) && dateOfUnixSeconds(row.posted!) >= '2025-11-22',
      );
    expect(lastYear(checking, 'PAYROLL')).toHaveLength(26);
    expect(lastYear(checking, 'RENT')).toHaveLength(12);
    expect(lastYear(checking, 'CARD AUTOPAY')).toHaveLength(12);
    expect(lastYear(savings, 'INTEREST')).toHaveLength(12);
    expect(lastYear(loan, 'INTEREST CHARGED')).toHaveLength(12);
    expect(lastYear(brokerage, 'YOU BOUGHT')).toHaveLength(24);
    expect(lastYear(brokerage, 'DIVIDEND RECEIVED HTMX')).toHaveLength(4);
    expect(lastYear(card, 'HARVEST LANE').length).toBeGreaterThan(20);
    expect(lastYear(yen, '振込').length).toBeGreaterThan(11);
    expect(brokerage!.holdings.map(({ symbol }) => symbol)).toEqual(['HTMX', 'HBDX', 'LKSP', 'HLMXX']);
    expect(cashMinor(brokerage!) - brokerage!.holdings.at(-1)!.valueMinor).toBeLessThan(100);
  });

  it('the lifelike household never overdraws, owes on its card and loan, and usually has a pending transaction', () => {
    const days = eachDay('2025-11-21', TODAY);
    const withoutHold = days.filter((day) => {
      const { accounts } = householdOn(day);
      const [checking, savings, card, loan] = accounts.map((account) => balanceMinor(account));
      expect(Math.min(checking!, savings!)).toBeGreaterThan(0);
      expect(Math.max(card!, loan!)).toBeLessThan(0);
      return accounts.flatMap(holds).length === 0;
    });
    expect(withoutHold.length).toBeLessThan(days.length / 5);
  });

  it('the lifelike household buys the same thing twice on some days', () => {
    const rows = bookedRows(householdOn(TODAY).accounts[2]!);
    const keys = rows.map(({ posted, amountMinor, description }) => `${posted} ${amountMinor} ${description}`);
    expect(keys.length - new Set(keys).size).toBeGreaterThan(10);
  });

  it('the lifelike household pays its whole card statement, and a transfer appears in both accounts', () => {
    const [checking, , card] = householdOn(TODAY).accounts;
    const paid = bookedRows(checking!).filter(({ description }) => description.includes('CARD AUTOPAY'));
    const received = bookedRows(card!).filter(({ description }) => description.includes('AUTOPAY PAYMENT'));
    expect(paid.map(({ amountMinor }) => -amountMinor)).toEqual(received.map(({ amountMinor }) => amountMinor));
    const november = paid.at(-1)!;
    expect(november.amountMinor).toBe(cashMinor(card!, unixSecondsOf('2026-10-21')));
  });

  it('the lifelike household has nothing but opening balances before its first day', () => {
    const early = householdOn('2020-05-05');
    expect(early.accounts.flatMap(({ transactions }) => transactions)).toEqual([]);
    expect(balanceMinor(early.accounts[0]!)).toBe(early.accounts[0]!.openingMinor);
  });
});

function bookedRows({ transactions }: HouseholdAccount) {
  return transactions.filter(({ posted }) => posted !== null);
}

function holds({ transactions }: HouseholdAccount) {
  return transactions.filter(({ posted }) => posted === null);
}

function allIds({ accounts }: Household): string[] {
  return accounts.flatMap(({ id, transactions }) => [id, ...transactions.map((row) => row.id)]);
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
