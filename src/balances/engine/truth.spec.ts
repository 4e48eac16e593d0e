import fc from 'fast-check';
import { afterSyncs, faultlessFeed, lateListing } from '../../../test/support/any-ledger.js';
import { byDay, daysBefore, flowsOf, rowsThatBreak } from '../../../test/support/history-rows.js';
import { deriveHistory } from './derive-history.js';
import type { BalanceHistory } from './history.js';
import type { Ledger } from './ledger.js';

const derive = (ledger: Ledger) => deriveHistory(ledger)!;

describe('a feed without faults', () => {
  it('a feed without faults gives the true balance of every day after every sync, without adjustments', () => {
    fc.assert(
      fc.property(faultlessFeed, ({ ledger, openingMinor }) => {
        for (let syncs = 1; syncs <= ledger.observations.length; syncs++) {
          const known = afterSyncs(ledger, syncs);
          const history = derive(known);
          const { columns, factor, firstDay } = history;
          let balance = openingMinor * factor;
          const broken = rowsThatBreak(history, (row) => {
            const [inflows, outflows] = flowsOf(known.entries, firstDay + row);
            balance += (inflows - outflows) * factor;
            const adjusted = columns.cashAdjustments[row]! + columns.nonCashAdjustments[row]!;
            return columns.endCash[row]! + columns.endNonCash[row]! === balance && adjusted === 0;
          });
          expect(broken).toEqual([]);
        }
      }),
    );
  });

  it('a sync of a faultless feed never rewrites a row before the days of its new transactions', () => {
    fc.assert(
      fc.property(faultlessFeed, ({ ledger }) => {
        let before: BalanceHistory | null = null;
        for (let syncs = 1; syncs <= ledger.observations.length; syncs++) {
          const { observedAt } = ledger.observations[syncs - 1]!;
          const news = ledger.entries.filter(({ listedFrom }) => listedFrom === observedAt).map(({ day }) => day);
          const history = derive(afterSyncs(ledger, syncs));
          if (before) {
            const untouched = Math.min(before.firstDay + before.length, ...news);
            expect(daysBefore(history, untouched)).toEqual(daysBefore(before, untouched));
          }
          before = history;
        }
      }),
    );
  });
});

describe('transactions listed late', () => {
  it.each(['inBalance', 'backDated'] as const)('a transaction listed late leaves no trace once listed (%s)', (way) => {
    fc.assert(
      fc.property(lateListing, (feeds) => {
        expect(byDay(derive(feeds[way]))).toEqual(byDay(derive(feeds.punctual)));
      }),
    );
  });
});

describe('lasting differences', () => {
  it('a lasting difference that no transaction explains never changes a day before it appeared', () => {
    // A fee that could be the sum of some entries might as well mean that the balance lacked them.
    const withFee = fc.tuple(faultlessFeed, fc.nat(), fc.integer({ min: 1_000_000_00, max: 2_000_000_00 }));
    fc.assert(
      fc.property(withFee, ([{ ledger }, choice, feeMinor]) => {
        fc.pre(ledger.observations.length >= 3 && ledger.accountType !== 'credit_card');
        const from = 2 + (choice % (ledger.observations.length - 2));
        // Whether the last balance before the fee held an entry listed with it, only a balance without the fee could show.
        const [last, next] = ledger.observations.slice(from - 1);
        fc.pre(ledger.entries.every(({ day, listedFrom }) => day > last!.day || listedFrom < next!.observedAt));
        const observations = ledger.observations.map((report, index) =>
          index < from ? report : { ...report, pendingMinor: [], balanceMinor: report.balanceMinor - feeMinor },
        );
        const { day } = observations[from]!;
        const charged = derive({ ...ledger, observations });
        expect(daysBefore(charged, day)).toEqual(daysBefore(derive(ledger), day));
      }),
    );
  });
});
