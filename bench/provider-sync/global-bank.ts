import { decimalText } from '../../src/platform/money/minor-units.js';
import { type PreparedServer, startPreparedServer } from './prepared-server.js';
import { ACCOUNTS, type BankRow } from './rows.js';

/** A bank behind the global provider's protocol. */
export async function startGlobalBank(): Promise<PreparedServer> {
  return startPreparedServer({
    connectBody: () => ({ provider: 'global_provider', api_key: 'key-of-the-benches' }),
    environment: (url) => ({ GLOBALPROVIDER_BASE_URL: url }),
    answer: (rows, { pathname, searchParams }) => {
      const [, , id = '', what] = pathname.split('/');
      if (what === undefined) return { accounts: accounts(), total: ACCOUNTS };
      if (what === 'balance') return { balance: { amount: 1000, currency: 'USD' } };
      if (what === 'holdings') return { holdings: [], totalValue: 0, currency: 'USD' };
      const from = searchParams.get('from') ?? '';
      const to = searchParams.get('to') ?? '9999-12-31';
      const transactions = rows
        .filter(({ account, date }) => account === Number(id) && date >= from && date <= to)
        .map(transaction);
      return { transactions, total: transactions.length };
    },
  });
}

function accounts(): object[] {
  return Array.from({ length: ACCOUNTS }, (_, id) => ({
    ...{ id, name: `Checking ${id}`, institution_name: 'Bench Bank', institution_logo: null },
    ...{ provider: 'gocardless', currency: 'USD', status: 'ACTIVE' },
  }));
}

function transaction({ id, account, date, amountMinor, description, merchant }: BankRow): object {
  return {
    ...{ id, accountId: account, amount: Number(decimalText(amountMinor, 2)), currency: 'USD', date },
    ...{ merchant, description, isPending: false },
  };
}
