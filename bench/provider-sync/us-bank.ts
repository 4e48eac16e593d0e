import { decimalText } from '../../src/platform/money/minor-units.js';
import { unixSecondsOf } from '../../src/platform/time/calendar-date.js';
import { type PreparedServer, startPreparedServer } from './prepared-server.js';
import type { BankRow } from './rows.js';

const NOON_SECONDS = 43_200;

/** A bank behind the US provider's protocol. */
export async function startUsBank(): Promise<PreparedServer> {
  return startPreparedServer({
    connectBody: (url) => ({
      provider: 'us_provider',
      setup_token: Buffer.from(`${url}/claim/CODE`).toString('base64'),
    }),
    environment: () => ({ USPROVIDER_ALLOWED_HOSTS: '*' }),
    answer: (rows, { pathname, searchParams }, url) => {
      if (pathname.startsWith('/claim/')) return url.replace('://', '://user:password@');
      if (pathname !== '/accounts') return { versions: ['1.0'] };
      // Balances alone come without a date, and without a row.
      const from = Number(searchParams.get('start-date') ?? Infinity);
      return accountSet(rows, from, Number(searchParams.get('end-date') ?? Infinity));
    },
  });
}

function accountSet(rows: readonly BankRow[], from: number, until: number) {
  const accounts = new Map<number, object[]>();
  for (const row of rows) {
    const posted = unixSecondsOf(row.date) + NOON_SECONDS;
    const listed = accounts.get(row.account) ?? [];
    accounts.set(row.account, listed);
    if (posted >= from && posted < until) listed.push(transaction(row, posted));
  }
  return {
    errlist: [],
    connections: [{ conn_id: 'CON-1', name: 'Bench Bank', org_id: 'ORG-1', org_name: 'Bench Bank' }],
    accounts: [...accounts].map(([account, transactions]) => ({
      ...{ id: `ACT-${account}`, name: `Checking ${account}`, conn_id: 'CON-1', currency: 'USD' },
      ...{ balance: '1000.00', 'available-balance': '1000.00', 'balance-date': Math.floor(Date.now() / 1000) },
      ...{ transactions, holdings: [] },
    })),
  };
}

function transaction({ id, amountMinor, description, merchant }: BankRow, posted: number) {
  return {
    ...{ id, posted, amount: decimalText(amountMinor, 2), description, payee: merchant },
    ...{ memo: `CARD PURCHASE ${description}`, transacted_at: posted, mcc: '5499' },
  };
}
