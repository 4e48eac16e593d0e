import type { HouseholdAccount, Household } from '../../household.js';
import { stableId } from '../../random.js';
import type { AccountSet, WireAccount, WireHolding, WireTransaction } from '../body.js';
import type { Scenario } from '../scenario.js';
import { eachAccount, eachTransaction } from '../../household-edits.js';

const YEAR_SECONDS = 365 * 86_400;
const MARKUP = '<script>alert("1")</script> <b>&amp;</b> \u0000\u0007\u001b[31m\u202e\u2028';

/** Values that other servers were seen to send. */
export const ODD_VALUES: readonly Scenario[] = [
  {
    name: 'loose-types',
    plays: 'Amounts are numbers, pending is 0 or 1, dates are texts; available balance and holdings are left out.',
    body: (set) => eachWireAccount(set, loose),
  },
  {
    name: 'long-decimals',
    plays: 'Amounts have two decimals more than their currency.',
    body: (set) =>
      eachWireAccount(set, (account) => ({
        ...account,
        balance: longer(account.balance),
        transactions: account.transactions.map((item) => ({ ...item, amount: longer(item.amount) })),
      })),
  },
  {
    name: 'posted-missing',
    plays: 'Posted transactions carry no posting date, only the day of purchase.',
    body: (set) =>
      eachWireAccount(set, (account) => ({
        ...account,
        transactions: account.transactions.map(({ posted, ...item }) => (item.pending ? { posted, ...item } : item)),
      })),
  },
  {
    name: 'debt-positive',
    plays: 'Card and loan report debts as positive balances.',
    body: (set) => eachWireAccount(set, (account) => ({ ...account, balance: account.balance.replace(/^-/, '') })),
  },
  {
    name: 'cost-per-share',
    plays: 'The cost of a holding is that of one share, where it is usually that of all.',
    body: (set) =>
      eachWireAccount(set, (account) => ({
        ...account,
        holdings: account.holdings.map((holding) => ({ ...holding, ...costPerShare(holding) })),
      })),
  },
  {
    name: 'holdings-other-names',
    plays: 'Holdings report quantity and cost under other names, the cost as `value`, and no market value.',
    body: (set) => eachWireAccount(set, (account) => ({ ...account, holdings: account.holdings.map(underOtherNames) })),
  },
  {
    name: 'securities-in-savings',
    plays: 'The account with the securities is called savings.',
    household: (household) =>
      eachAccount(household, (account) =>
        account.holdings.length > 0 ? { ...account, name: 'Savings (7780)' } : account,
      ),
  },
  {
    name: 'dates-a-year-off',
    plays: 'The newest posted transaction of each account is dated a year too early.',
    body: (set) => eachWireAccount(set, withOldDate),
  },
  {
    name: 'currency-url',
    plays: 'One more account counts airline miles: its currency is an address.',
    household: (household) => ({ ...household, accounts: [...household.accounts, ...miles(household)] }),
  },
  {
    name: 'currency-empty',
    plays: 'No account says its currency.',
    body: (set) => eachWireAccount(set, (account) => ({ ...account, currency: '' })),
  },
  {
    name: 'currency-lower-case',
    plays: 'Currencies are in lower case.',
    body: (set) => eachWireAccount(set, (account) => ({ ...account, currency: account.currency.toLowerCase() })),
  },
  {
    name: 'markup',
    plays: 'Names, descriptions and an error contain markup and control characters.',
    household: (household) =>
      eachTransaction(
        eachAccount(household, (account) => ({ ...account, name: `${account.name} ${MARKUP}` })),
        (item) => ({ ...item, description: item.description + MARKUP, payee: MARKUP, memo: MARKUP }),
      ),
    troubles: () => [{ code: 'gen.', message: `Trouble ${MARKUP}` }],
  },
];

function eachWireAccount(set: AccountSet, edit: (account: WireAccount) => unknown) {
  return { ...set, accounts: set.accounts.map(edit) };
}

function loose(account: WireAccount) {
  return {
    ...account,
    'available-balance': undefined,
    holdings: undefined,
    balance: Number(account.balance),
    'balance-date': String(account['balance-date']),
    transactions: account.transactions.map((item) => ({
      ...item,
      amount: Number(item.amount),
      pending: item.pending ? 1 : 0,
    })),
  };
}

function costPerShare({ cost_basis, shares }: WireHolding) {
  const price = (Number(cost_basis) / Number(shares)).toFixed(2);
  return { cost_basis: price, purchase_price: price };
}

function underOtherNames({ shares, cost_basis, ...holding }: WireHolding) {
  return { ...holding, quantity: shares, value: cost_basis, total_cost: cost_basis, market_value: undefined };
}

function withOldDate({ transactions, ...account }: WireAccount) {
  const newest = transactions.findLast(({ pending }) => !pending);
  const yearAgo = (item: WireTransaction) => ({ ...item, posted: item.posted - YEAR_SECONDS });
  return { ...account, transactions: transactions.map((item) => (item === newest ? yearAgo(item) : item)) };
}

function longer(amount: string): string {
  return amount.includes('.') ? `${amount}00` : `${amount}.00`;
}

function miles({ accounts: [account] }: Household): HouseholdAccount[] {
  if (!account) return [];
  const id = stableId('ACT', account.id, 'miles');
  return [
    {
      ...account,
      id,
      name: 'Globetrot Miles',
      currency: 'globetrot-miles',
      openingMinor: 48_210,
      availableMinor: null,
      openedAt: null,
      transactions: [],
      holdings: [],
    },
  ];
}
