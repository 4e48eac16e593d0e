import type { WireAccount, WireBalance } from '../body.js';
import type { Scenario } from '../scenario.js';

/** Accounts and balances as other servers were seen to send them. */
export const ODD_ACCOUNTS: readonly Scenario[] = [
  {
    name: 'bare-accounts',
    plays: 'Accounts report no name, institution, currency or status.',
    accounts: ({ accounts }) => ({ accounts: accounts.map(({ id, provider }) => ({ id, provider })) }),
  },
  {
    name: 'ids-as-text',
    plays: "Accounts' ids are texts.",
    accounts: ({ accounts, total }) => ({
      accounts: accounts.map((item) => ({ ...item, id: String(item.id) })),
      total,
    }),
    transactions: ({ transactions, total }) => ({
      transactions: transactions.map((item) => ({ ...item, accountId: String(item.accountId) })),
      total,
    }),
  },
  {
    name: 'duplicate-account',
    plays: 'One account is listed twice in one answer.',
    accounts: ({ accounts, total }) => ({ accounts: [...accounts, ...accounts.slice(0, 1)], total: total + 1 }),
  },
  {
    name: 'status-unknown',
    plays: 'Accounts have statuses in lower case, and unknown ones.',
    accounts: ({ accounts, total }) => ({
      accounts: accounts.map((item, index) => ({ ...item, status: ['active', 'INACTIVE', 'HIBERNATING'][index % 3] })),
      total,
    }),
  },
  {
    name: 'currency-nowhere',
    plays: 'Neither accounts nor balances report a currency; transactions do.',
    accounts: ({ accounts, total }) => ({ accounts: accounts.map(withoutCurrency), total }),
    balance: ({ balance }) => ({ balance: { amount: balance.amount } }),
  },
  {
    name: 'currency-forgotten',
    plays: 'The first sync gets every currency; later neither accounts nor balances report one.',
    accounts: ({ accounts, total }, { visit }) => ({
      accounts: visit > 1 ? accounts.map(withoutCurrency) : accounts,
      total,
    }),
    balance: ({ balance }, { visit }) => ({ balance: visit > 1 ? { amount: balance.amount } : balance }),
  },
  {
    name: 'balance-empty',
    plays: 'One balance has no amount, one is null, one answer is empty.',
    balance: (body, { account }) => emptied(body, account),
  },
  {
    name: 'balance-vanishes',
    plays: 'The first sync works; then balances have no amount.',
    balance: (body, { visit }) => (visit > 1 ? emptied(body, 0) : body),
  },
  {
    name: 'older-dialect',
    plays: 'Balances and transactions in the words of the older contract, without totals.',
    accounts: ({ accounts }) => ({ accounts }),
    balance: ({ balance: { amount, currency } }) => ({
      balance: { available: amount + 500, current: amount, currency },
    }),
    transactions: ({ transactions }) => ({
      transactions: transactions.map(({ accountId, merchant, isPending, ...item }) => ({
        ...item,
        account_id: accountId,
        merchant_name: merchant,
        category: 'General',
        pending: isPending,
      })),
    }),
  },
  {
    name: 'amounts-as-text',
    plays: 'Amounts are texts.',
    balance: ({ balance }) => ({ balance: { ...balance, amount: String(balance.amount) } }),
    transactions: ({ transactions, total }) => ({
      transactions: transactions.map((item) => ({ ...item, amount: String(item.amount) })),
      total,
    }),
  },
];

function withoutCurrency(account: WireAccount): WireAccount {
  return { ...account, currency: undefined };
}

function emptied(body: WireBalance, account: number) {
  if (account === 0) return { balance: { currency: body.balance.currency } };
  if (account === 1) return { balance: null };
  return account === 2 ? {} : body;
}
