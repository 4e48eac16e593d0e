import { expectDays } from '../../../../test/support/days-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';
import { dayNumber } from '../../../platform/time/calendar-date.js';
import { deriveHistory } from '../derive-history.js';
import type { Entry } from '../ledger.js';

/** Banks change what they listed. The versions explain the balances of their time; the newest ones are the history. */
describe('a transaction that the bank changes after it was listed', () => {
  const TIP = ledger(`
    depository
    03-01  balance 500.00
    03-02  -40.00 [1] dinner, listed 03-02, until 03-04
    03-02  balance 460.00
    03-03  balance 460.00
    03-02  -46.00 [1] dinner with a tip, listed 03-04
    03-04  balance 454.00            # 6 more, when it is listed
    03-05  balance 454.00
  `);

  it('a transaction whose amount the bank changes counts with its new amount on its day, without an adjustment', () => {
    expectDays(
      TIP,
      `
        day          |  start | cash out |    end
        03-01        | 500.00 |          | 500.00
        03-02        | 500.00 |    46.00 | 454.00
        03-03..03-05 | 454.00 |          | 454.00
      `,
    );
  });

  it('days are estimated if their reported balance disagrees with the transactions listed now', () => {
    const later = ledger(`
      depository
      03-01  balance 500.00
      03-02  -40.00 [1] dinner, listed 03-02, until 03-05
      03-02  balance 460.00
      03-03  balance 460.00
      03-02  -46.00 [1] dinner with a tip, listed 03-05
      03-05  balance 454.00
      03-06  -10.00 milk
      03-06  balance 444.00
      03-09  -10.00 bread, listed 03-12           # booked late, under an earlier day
      03-10  balance 444.00
      03-12  balance 434.00
      03-20  balance 434.00
    `);
    expect(sureness(later)).toEqual([
      '03-01..03-01 known',
      '03-02..03-02 estimated', // 454 by the list, and the bank said 460 in the morning after, too
      '03-03..03-08 known',
      '03-09..03-09 estimated',
      '03-10..03-20 known',
    ]);
  });

  it('a transaction counts with its old amount until the bank changes it', () => {
    expectDays(
      asOf(TIP, '03-03'),
      `
        day   |  start | cash out |    end
        03-01 | 500.00 |          | 500.00
        03-02 | 500.00 |    40.00 | 460.00
        03-03 | 460.00 |          | 460.00
      `,
    );
  });

  it('a transaction that the bank re-dates moves to its new day, under its own id or another', () => {
    for (const id of ['1', '2']) {
      expectDays(
        ledger(`
          depository
          03-01  balance 500.00
          03-02  -40.00 [1] shoes, listed 03-02, until 03-05
          03-02  balance 460.00
          03-03  balance 460.00
          03-04  -40.00 [${id}] shoes, listed 03-05
          03-05  balance 460.00
        `),
        `
          day   |  start | cash out |    end
          03-01 | 500.00 |          | 500.00
          03-02 | 500.00 |          | 500.00
          03-03 | 500.00 |          | 500.00
          03-04 | 500.00 |    40.00 | 460.00
          03-05 | 460.00 |          | 460.00
        `,
      );
    }
  });

  it('a transaction whose amount the bank changes counts once in an investment account without listed holdings', () => {
    expectDays(
      ledger(`
        investment
        03-01  balance 1,000.00
        03-02  -500.00 [1] to checking, listed 03-02, until 03-03
        03-02  balance 500.00
        03-02  -550.00 [1] to checking, with the fee, listed 03-03
        03-04  balance 450.00
      `),
      `
        day   |   start | cash out | cash adj |     end
        03-01 | 1000.00 |          |          | 1000.00
        03-02 | 1000.00 |   550.00 |    50.00 |  500.00
        03-03 |  500.00 |          |          |  500.00
        03-04 |  500.00 |          |   -50.00 |  450.00
      `,
    );
  });

  it('a withdrawn transaction leaves no trace in the balances', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 500.00
        03-02  -40.00 booked by mistake, listed 03-02, until 03-04
        03-02  balance 460.00
        03-03  balance 460.00
        03-04  balance 500.00
        03-05  balance 500.00
      `),
      `
        day          |  start |    end
        03-01..03-05 | 500.00 | 500.00
      `,
    );
  });

  it('a withdrawn transaction with an amount of zero has no finding', () => {
    const feed = ledger(`
      depository
      03-01  balance 500.00
      03-02  0.00 authorization, listed 03-02, until 03-04
      03-02  balance 500.00
      03-04  balance 500.00
    `);
    expect(tell(feed).filter((text) => text.includes('withdrew'))).toEqual([]);
  });

  it('a withdrawn transaction has a finding for a month, and none if another transaction replaces it', () => {
    const feed = ledger(`
      depository
      03-01  balance 500.00
      03-02  -40.00 booked by mistake, listed 03-02, until 03-04
      03-02  -10.00 provisional, listed 03-02, until 03-04
      03-02  balance 450.00
      03-03  balance 450.00
      03-03  -10.20 final, listed 03-04
      03-04  balance 489.80
      03-20  balance 489.80
      04-05  balance 489.80
    `);
    const findings = tell(asOf(feed, '03-20')).filter((text) => text.includes('withdrew'));
    expect(findings).toEqual(['The bank withdrew $40.00 that it had listed on 2 March 2026: it no longer counts.']);
    expect(tell(feed).filter((text) => text.includes('withdrew'))).toEqual([]);
  });

  it('two transactions that the bank merges into one count with the amount of that one', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 500.00
        03-02  -40.00 shoes, listed 03-02, until 03-14
        03-02  -10.00 socks, listed 03-02, until 03-14
        03-02  balance 450.00
        03-13  balance 450.00
        03-02  -50.00 shoes and socks, listed 03-14
        03-14  balance 450.00
      `),
      `
        day          |  start | cash out |    end
        03-01        | 500.00 |          | 500.00
        03-02        | 500.00 |    50.00 | 450.00
        03-03..03-14 | 450.00 |          | 450.00
      `,
    );
  });

  it('a wage listed with a provisional amount counts with the final one if the balance had that from the start', () => {
    // The wage is 310.00 each week, and listed with another amount for a week.
    const wages = ledger(`
      depository
      02-27  +310.00 [1] wage, listed 03-02
      03-02  balance 704.89
      03-06  +340.46 [2] wage, listed 03-09, until 03-16
      03-09  balance 1014.89
      03-06  +310.00 [2] wage, listed 03-16
      03-16  balance 1014.89
      03-20  +284.18 [3] wage, listed 03-23, until 03-30
      03-23  balance 1324.89
      03-20  +310.00 [3] wage, listed 03-30
      03-30  balance 1324.89
      04-03  +310.00 [4] wage
      04-06  balance 1634.89
      04-13  balance 1634.89
    `);
    expectDays(
      wages,
      `
        day          |   start | cash in |     end
        02-27        |  394.89 |  310.00 |  704.89
        02-28..03-05 |  704.89 |         |  704.89
        03-06        |  704.89 |  310.00 | 1014.89
        03-07..03-19 | 1014.89 |         | 1014.89
        03-20        | 1014.89 |  310.00 | 1324.89
        03-21..04-02 | 1324.89 |         | 1324.89
        04-03        | 1324.89 |  310.00 | 1634.89
        04-04..04-13 | 1634.89 |         | 1634.89
      `,
    );
    expect(sureness(asOf(wages, '03-23'))).toEqual(['02-27..03-23 estimated']);
  });

  it('a transaction changed a month later causes no adjustment if the balance had its final amount from the start', () => {
    const monthly = ledger(`
      depository
      01-31     +9.15 interest, listed 03-02
      02-28     +8.43 [1] interest, listed 03-02, until 04-01
      03-02   balance 12418.25
      02-28     +9.10 [1] interest, listed 04-01
      03-02   +200.00 savings, listed 04-01
      03-31    +10.67 interest, listed 04-01
      04-01   balance 12628.92
      04-30     +9.20 interest, listed 05-01
      05-01   balance 12638.12
    `);
    expect([...deriveHistory(monthly)!.columns.cashAdjustments].filter((amount) => amount !== 0)).toEqual([]);
  });
});

describe('transactions that the list drops and the balance keeps', () => {
  it('transactions that the list drops and the balance keeps count as before when they are listed again', () => {
    const returning = ledger(`
      depository
      03-01  balance 500.00
      03-02  -20.00 [1] tea, listed 03-02, until 03-14
      03-02  balance 480.00
      03-05  -30.00 wine
      03-05  balance 450.00
      03-09  -10.00 milk
      03-09  balance 440.00
      03-13  balance 440.00
      03-14  balance 440.00
      03-02  -20.00 [1] tea, listed 03-16
      03-16  balance 440.00
      03-17   -5.00 bread
      03-17  balance 435.00
      03-30  balance 435.00
    `);
    expectDays(
      returning,
      `
        day          |  start | cash out |    end
        03-01        | 500.00 |          | 500.00
        03-02        | 500.00 |    20.00 | 480.00
        03-03..03-04 | 480.00 |          | 480.00
        03-05        | 480.00 |    30.00 | 450.00
        03-06..03-08 | 450.00 |          | 450.00
        03-09        | 450.00 |    10.00 | 440.00
        03-10..03-16 | 440.00 |          | 440.00
        03-17        | 440.00 |     5.00 | 435.00
        03-18..03-30 | 435.00 |          | 435.00
      `,
    );
    expect(sureness(returning)).toEqual(['03-01..03-30 known']);
  });

  it('transactions that only the list drops are adjustments of their days, and the days since the first are estimated', () => {
    const dropped = ledger(`
      depository
      03-01  balance 500.00
      03-02  -20.00 tea, listed 03-02, until 03-12
      03-02  balance 480.00
      03-03  -15.00 bread
      03-03  balance 465.00
      03-05  -30.00 wine, listed 03-05, until 03-12
      03-05  balance 435.00
      03-07  -10.00 milk
      03-07  balance 425.00
      03-12  balance 425.00                # the tea and the wine are listed no longer, and were not given back
      03-13   -5.00 milk
      03-13  balance 420.00
      03-20  balance 420.00
      03-26   -7.00 tea
      03-26  balance 413.00
      04-02  balance 413.00
      04-09  balance 413.00
      04-20  balance 413.00
    `);
    expectDays(
      dropped,
      `
        day          |  start | cash out | cash adj |    end
        03-01        | 500.00 |          |          | 500.00
        03-02        | 500.00 |          |   -20.00 | 480.00
        03-03..03-03 | 480.00 |    15.00 |          | 465.00
        03-04..03-04 | 465.00 |          |          | 465.00
        03-05..03-05 | 465.00 |          |   -30.00 | 435.00
        03-06..03-06 | 435.00 |          |          | 435.00
        03-07..03-07 | 435.00 |    10.00 |          | 425.00
        03-08..03-12 | 425.00 |          |          | 425.00
        03-13..03-13 | 425.00 |     5.00 |          | 420.00
        03-14..03-25 | 420.00 |          |          | 420.00
        03-26..03-26 | 420.00 |     7.00 |          | 413.00
        03-27..04-20 | 413.00 |          |          | 413.00
      `,
    );
    expect(sureness(dropped).slice(0, 3)).toEqual([
      '03-01..03-01 known',
      '03-02..03-11 estimated',
      '03-12..04-20 known',
    ]);
    expect(tell(dropped)).toEqual([
      "On 2 March 2026 the bank's balance fell by $20.00, which no transaction explains.",
      "On 5 March 2026 the bank's balance fell by $30.00, which no transaction explains.",
    ]);
    expect(tell(asOf(dropped, '03-14'))).toEqual([
      "Since 12 March 2026 the bank's balance is $50.00 lower than its transactions explain. It may still sort itself out.",
    ]);
  });

  it('transactions whose ids the bank gives to others months later are adjustments of their own days', () => {
    const reused = ledger(`
      loan
      01-05  +420.00 [1] payment, listed 03-01, until 04-06
      01-05   -86.50 [2] interest, listed 03-01, until 04-06
      03-01  balance -19023.86
      03-05  +420.00 [3] payment
      03-05   -85.44 [4] interest
      03-05  balance -18689.30
      04-05  balance -18689.30
      04-05  +420.00 [1] payment, listed 04-06
      04-05   -84.07 [2] interest, listed 04-06
      04-06  balance -18353.37
      04-20  balance -18353.37
    `);
    const { firstDay, columns } = deriveHistory(reused)!;
    const endOf = (date: string) => columns.endNonCash[dayNumber(`2026-${date}`) - firstDay];
    expect(['01-05', '03-01', '03-05', '04-05'].map(endOf)).toEqual([19_023_86, 19_023_86, 18_689_30, 18_353_37]);
  });

  it('a listed amount that changes without the balance is an adjustment of the day of the transaction', () => {
    const amended = ledger(`
      depository
      03-01  balance 500.00
      03-02  -20.00 [1] tea, listed 03-02, until 03-08
      03-02  balance 480.00
      03-05  -30.00 wine
      03-05  balance 450.00
      03-02  -23.00 [1] tea, listed 03-08
      03-08  balance 450.00
      03-12   -5.00 milk
      03-12  balance 445.00
      03-19   -9.00 milk
      03-19  balance 436.00
      03-30  balance 436.00
    `);
    expectDays(
      amended,
      `
        day          |  start | cash out | cash adj |    end
        03-01        | 500.00 |          |          | 500.00
        03-02        | 500.00 |    23.00 |     3.00 | 480.00
        03-03..03-04 | 480.00 |          |          | 480.00
        03-05..03-05 | 480.00 |    30.00 |          | 450.00
        03-06..03-11 | 450.00 |          |          | 450.00
        03-12..03-12 | 450.00 |     5.00 |          | 445.00
        03-13..03-18 | 445.00 |          |          | 445.00
        03-19..03-19 | 445.00 |     9.00 |          | 436.00
        03-20..03-30 | 436.00 |          |          | 436.00
      `,
    );
  });
});

describe('old transactions listed twice after the account is linked anew', () => {
  it('old transactions that are listed a second time, some under other days, after the account is linked anew count once', () => {
    const linked = ledger(`
      depository
      02-10  -20.00 [a] tea, listed 03-01
      02-10   -5.00 [b] milk, listed 03-01
      02-12   -7.50 [e] bread, listed 03-01
      03-01  balance 475.00
      03-05  -30.00 wine
      03-05  balance 445.00
      03-09  -10.00 milk
      03-09  balance 435.00
      02-10  -20.00 [c] TEA, listed 03-16
      02-10   -5.00 [d] MILK, listed 03-16
      02-11   -7.50 [f] BREAD, listed 03-16
      03-16  balance 435.00
      03-20  -40.00 shoes
      03-20  balance 395.00
      04-10  balance 395.00
    `);
    expectDays(
      linked,
      `
        day          |  start | cash out | cash adj |    end
        02-10        | 507.50 |    50.00 |    25.00 | 482.50
        02-11        | 482.50 |     7.50 |     7.50 | 482.50
        02-12        | 482.50 |     7.50 |          | 475.00
        02-13..03-04 | 475.00 |          |          | 475.00
        03-05        | 475.00 |    30.00 |          | 445.00
        03-06..03-08 | 445.00 |          |          | 445.00
        03-09        | 445.00 |    10.00 |          | 435.00
        03-10..03-19 | 435.00 |          |          | 435.00
        03-20        | 435.00 |    40.00 |          | 395.00
        03-21..04-10 | 395.00 |          |          | 395.00
      `,
    );
    expect(sureness(linked)[0]).toMatch(/^02-10.* estimated$/);
  });
});

describe('one of two equal purchases that the bank withdraws or changes', () => {
  const DAY_MS = 86_400_000;
  const [FIRST, PAIR, LAST] = [20_600, 20_612, 20_650];
  const noonOf = (day: number) => (day + 0.5) * DAY_MS;

  interface Case {
    /** How many days after its purchase a row is listed, or the balance moves. */
    listBehind: number;
    balanceBehind: number;
    /** When the list has no longer the purchase, or has it with its new amount; the day on which the balance follows. */
    changed: number;
    followed: number;
    /** The new amount; `null`: the purchase is taken back. */
    newMinor: number | null;
  }

  /** A purchase every other day beside a pair of 6.34 and another amount. */
  function derived(secondMinor: number, { listBehind, balanceBehind, changed, followed, newMinor }: Case) {
    const moved: [day: number, amountMinor: number][] = [
      [PAIR + balanceBehind, -6_34 + secondMinor],
      [followed, (newMinor ?? 0) - secondMinor],
    ];
    const bought = (key: string, day: number, amountMinor: number): Entry => {
      return { key, day, amountMinor, listedFrom: noonOf(day + listBehind), listedUntil: null };
    };
    const second = bought('second', PAIR, secondMinor);
    const entries = [bought('first', PAIR, -6_34), { ...second, listedUntil: noonOf(changed) }];
    if (newMinor !== null) entries.push({ ...second, amountMinor: newMinor, listedFrom: noonOf(changed) });
    for (let day = FIRST; day < LAST - 2; day += 2) {
      const amountMinor = -10_00 - ((day * 137) % 40_00);
      entries.push(bought(`${day}`, day, amountMinor));
      moved.push([day + balanceBehind, amountMinor]);
    }
    const observations = Array.from({ length: LAST - FIRST + 1 }, (_, sync) => {
      const day = FIRST + sync;
      const balanceMinor = moved.reduce((sum, [on, amountMinor]) => (on <= day ? sum + amountMinor : sum), 5_000_00);
      return { observedAt: noonOf(day), day, balanceMinor, balanceDay: null, pendingMinor: [], holdings: null };
    });
    return deriveHistory({ accountType: 'depository', until: LAST, completeOn: LAST, entries, observations })!;
  }

  const late = { listBehind: 1, balanceBehind: 0, changed: PAIR + 18, newMinor: null };
  const even = { ...late, listBehind: 0 };
  it.each<[string, Case]>([
    ['withdraws it a day after the balance, with late lists', { ...late, followed: PAIR + 17 }],
    ['withdraws it a day before the balance, with late lists', { ...late, followed: PAIR + 19 }],
    ['withdraws it two days before the balance', { ...even, followed: PAIR + 20 }],
    ['withdraws it on the day of the balance, with late balances', { ...even, balanceBehind: 1, followed: PAIR + 18 }],
    ['changes its amount a day before the balance, with late lists', { ...late, newMinor: -7_26, followed: PAIR + 19 }],
    ['changes its amount a day before the balance', { ...even, newMinor: -7_26, followed: PAIR + 19 }],
  ])('one of two equal purchases is derived like a purchase of another amount if the bank %s', (_, told) => {
    const [history, alike] = [derived(-6_34, told), derived(-6_33, told)];
    expect(history.columns).toEqual(alike.columns);
    expect(history.certainty).toEqual(alike.certainty);
    expect(history.findings.map(({ kind }) => kind)).toEqual(told.newMinor === null ? ['transaction_withdrawn'] : []);
  });
});

describe('a bank that lists hundreds of transactions anew', () => {
  it('a thousand transactions listed anew with other ids and amounts replace the old ones without a finding', () => {
    const COUNT = 1_000;
    const [then, now] = [Date.UTC(2026, 2, 1, 12), Date.UTC(2026, 2, 2, 12)];
    const entries = Array.from({ length: COUNT }, (_, n) => [
      { key: `old ${n}`, day: 20_500, amountMinor: -1_000 - n * n, listedFrom: then, listedUntil: now },
      { key: `new ${n}`, day: 20_500, amountMinor: -1_001 - n * n, listedFrom: now, listedUntil: null },
    ]).flat();
    const newSum = entries.reduce((sum, { amountMinor, listedUntil }) => sum + (listedUntil ? 0 : amountMinor), 0);
    const report = { balanceDay: null, pendingMinor: [], holdings: null };
    const history = deriveHistory({
      accountType: 'depository',
      until: 20_515,
      completeOn: 20_515,
      entries,
      observations: [
        { observedAt: then, day: 20_513, balanceMinor: newSum + COUNT, ...report },
        { observedAt: now, day: 20_514, balanceMinor: newSum, ...report },
      ],
    })!;
    expect(history.columns.endCash.at(-1)).toBe(newSum);
    expect(history.findings.filter(({ kind }) => kind !== 'opening_uncertain')).toEqual([]);
  });
});
