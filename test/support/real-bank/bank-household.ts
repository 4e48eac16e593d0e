import type { HouseholdAccount, Household } from '../../../sandbox/household.js';
import { type CalendarDate, unixSecondsOf } from '../../../src/platform/time/calendar-date.js';
import type { BankRow } from './bank-file.js';

const NOON_SECONDS = 43_200;
const CONNECTION = 'CON-real-bank';

/** A bank's books as the sandbox serves them: rows without the balances, and today's balance of each account. */
export function bankHousehold(
  accounts: ReadonlyMap<string, BankRow[]>,
  currency: string,
  today: CalendarDate,
): Household {
  const institution = {
    id: 'INST-real-bank',
    name: 'A real bank',
    domain: 'bank.example',
    url: 'https://bank.example',
  };
  return {
    today,
    connections: [{ id: CONNECTION, name: 'A real bank', institution }],
    accounts: [...accounts].map(([id, rows]) => bankAccount(id, rows, currency, today)),
  };
}

function bankAccount(id: string, rows: readonly BankRow[], currency: string, today: CalendarDate): HouseholdAccount {
  const amounts = rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return {
    id,
    connectionId: CONNECTION,
    name: `Account ${id}`,
    currency,
    // The bank rounds; what it rounded away in all stands at the beginning, so that today's balance is the bank's own.
    openingMinor: (rows.at(-1)?.balanceMinor ?? 0) - amounts,
    availableMinor: null,
    refreshedAt: unixSecondsOf(today),
    openedAt: null,
    transactions: rows.map(({ date, amountMinor, kind }, index) => {
      const posted = unixSecondsOf(date) + NOON_SECONDS;
      const words = { description: kind.replaceAll('_', ' '), payee: '', memo: '', mcc: null };
      return { id: `${id}-${index}`, originId: `${id}-${index}`, posted, transactedAt: posted, amountMinor, ...words };
    }),
    holdings: [],
  };
}
