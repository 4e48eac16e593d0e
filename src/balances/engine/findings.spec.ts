import fc from 'fast-check';
import { anyLedger, isMovedByEntries } from '../../../test/support/any-ledger.js';
import { ledger } from '../../../test/support/ledger-text.js';
import { deriveHistory } from './derive-history.js';
import type { Ledger } from './ledger.js';
import { reconcile } from './reconcile.js';

describe('the findings of a reconciliation', () => {
  const movedByEntries = anyLedger.filter(isMovedByEntries);
  const total = (amounts: Iterable<number>) => [...amounts].reduce((sum, amount) => sum + amount, 0);

  it('the findings account for every adjustment, to the minor unit', () => {
    fc.assert(
      fc.property(movedByEntries, (ledger) => {
        const { columns, findings } = deriveHistory(ledger)!;
        const amounts = findings.map((finding) => {
          // What a past row is adjusted by for now, the next one takes back.
          if (finding.kind === 'timing' && finding.day < ledger.until) return 0;
          return 'amountMinor' in finding ? (finding.amountMinor ?? 0) : 0;
        });
        expect(amounts.some((amount, index) => amount === 0 && findings[index]!.kind.startsWith('unexplained'))).toBe(
          false,
        );
        expect(total(amounts)).toBe(total(columns.cashAdjustments) + total(columns.nonCashAdjustments));
      }),
    );
  });

  it('an open difference that stays the same for days has no finding with an amount of zero', () => {
    const { findings } = deriveHistory(
      ledger(`
        depository
        10-04  balance 0.00
        11-07  balance 0.00
        11-08  balance 0.00
        11-09  balance 0.00
        11-10  balance 0.00
        11-11  balance 1.00
        11-12  balance -1.00
        11-13  balance -1250.00
        11-14  balance -1250.00
        11-15  balance -1250.00
        12-09  balance -1.00, holds -3.00    # the difference was still open before this gap
      `),
    )!;
    expect(findings.filter((finding) => 'amountMinor' in finding && finding.amountMinor === 0)).toEqual([]);
  });

  it('the open finding equals the difference of the newest report, unless its balance lags behind the transactions', () => {
    const lagging: Ledger = {
      accountType: null,
      until: 20_048,
      completeOn: null,
      entries: [{ day: 20_001, amountMinor: 1, listedFrom: 1_732_150_800_000, key: '0', listedUntil: null }],
      observations: [
        { observedAt: 1_728_025_200_000, day: 20_000 },
        { observedAt: 1_732_150_800_000, day: 20_048 },
      ].map((moment) => ({ ...moment, balanceMinor: -12_50, balanceDay: null, pendingMinor: [], holdings: null })),
    };
    fc.assert(
      fc.property(movedByEntries, (ledger) => {
        const { observations, findings } = reconcile(ledger);
        const { differenceMinor } = observations.at(-1)!;
        // A transaction first listed with the newest balance, and not in it yet, is a matter of timing and not open.
        if (findings.some(({ kind }) => kind === 'timing')) return;
        const open = findings.find(({ kind }) => kind === 'unexplained_open') as { amountMinor: number } | undefined;
        expect(differenceMinor).toBe(open?.amountMinor ?? 0);
      }),
    );
    const { observations, findings } = reconcile(lagging);
    expect(observations.at(-1)!.differenceMinor).toBe(-1);
    expect(findings).toEqual([{ kind: 'timing', day: 20_048, amountMinor: -1 }]);
  });

  it('the reconciliation has every report once and in order, and each difference is reported minus derived balance', () => {
    fc.assert(
      fc.property(anyLedger, (ledger) => {
        const { observations } = reconcile(ledger);
        expect(observations.map(({ observedAt }) => observedAt)).toEqual(
          ledger.observations.map(({ observedAt }) => observedAt),
        );
        for (const { reportedMinor, derivedMinor, differenceMinor } of observations) {
          expect(derivedMinor + differenceMinor).toBe(reportedMinor);
        }
      }),
    );
  });
});
