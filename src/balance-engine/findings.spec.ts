import fc from 'fast-check';
import { anyLedger, isMovedByEntries } from '../../test/any-ledger.js';
import { deriveHistory } from './derive-history.js';
import { reconcile } from './reconcile.js';

describe('the findings', () => {
  const movedByEntries = anyLedger.filter(isMovedByEntries);
  const total = (amounts: Iterable<number>) => [...amounts].reduce((sum, amount) => sum + amount, 0);

  it('tell of every adjustment, to the minor unit', () => {
    fc.assert(
      fc.property(movedByEntries, (ledger) => {
        const { columns, findings } = deriveHistory(ledger)!;
        const told = findings.map((finding) => ('amountMinor' in finding ? (finding.amountMinor ?? 0) : 0));
        expect(told.some((amount, index) => amount === 0 && findings[index]!.kind.startsWith('unexplained'))).toBe(
          false,
        );
        expect(total(told)).toBe(total(columns.cashAdjustments) + total(columns.nonCashAdjustments));
      }),
    );
  });

  it('have the difference of the newest observation for the open one', () => {
    fc.assert(
      fc.property(movedByEntries, (ledger) => {
        const { observations, findings } = reconcile(ledger);
        const open = findings.find(({ kind }) => kind === 'unexplained_open') as { amountMinor: number } | undefined;
        expect(observations.at(-1)!.differenceMinor).toBe(open?.amountMinor ?? 0);
      }),
    );
  });

  it('hold every observation against what is derived, each once and in order', () => {
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
