import { accountRules } from '../../src/balances/engine/account-type.js';
import { findingText } from '../../src/balances/engine/finding-text.js';
import { reconcile } from '../../src/balances/engine/reconcile.js';
import { decimalText } from '../../src/platform/money/minor-units.js';
import { dateOfDayNumber } from '../../src/platform/time/calendar-date.js';
import type { WrittenLedger } from './ledger-text.js';

/** What a person is told of the history of a ledger. */
export function tell(written: WrittenLedger): string[] {
  const { currency } = written;
  const { factor } = accountRules(written.accountType);
  return reconcile(written).findings.map((finding) => findingText(finding, { currency, factor }));
}

/** Each observation held against the history: `03-03: reported 987.60, derived 1000.00, difference -12.40`. */
export function holdAgainst(written: WrittenLedger): string[] {
  const text = (minor: number) => decimalText(minor, written.digits);
  return reconcile(written).observations.map(({ day, reportedMinor, derivedMinor, differenceMinor }) => {
    const amounts = `reported ${text(reportedMinor)}, derived ${text(derivedMinor)}, difference ${text(differenceMinor)}`;
    return `${dateOfDayNumber(day).slice(5)}: ${amounts}`;
  });
}
