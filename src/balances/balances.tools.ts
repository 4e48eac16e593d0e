import { GivenId } from '../http/input/given.js';
import { PageQuery, pagination } from '../http/pagination/page.js';
import { defineTool, type Tool } from '../platform/module.js';
import {
  AccountFilterQuery,
  ListAccountsQuery,
  ListHoldingsQuery,
  ListTransactionsQuery,
} from './accounts/account-filter.query.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { HoldingsController } from './holdings/holdings.controller.js';
import { NetWorthChangesQuery } from './net-worth/net-worth-changes.response.js';
import { NetWorthChangesService } from './net-worth/net-worth-changes.service.js';
import { NetWorthQuery } from './net-worth/net-worth.query.js';
import { NetWorthService } from './net-worth/net-worth.service.js';
import { StatementsController } from './own-knowledge/statements.controller.js';
import { toBalanceResponse } from './record/balance.response.js';
import { BalancesRepository } from './record/balances.repository.js';
import { toTransactionResponse } from './transactions/transaction.response.js';
import { TransactionsRepository } from './transactions/transactions.repository.js';

class ListStatementsQuery extends PageQuery {
  @GivenId({ description: 'The id of the account.' })
  account_id: string;
}

/** The lists of accounts as tools of assistants. */
export const BALANCES_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'list_accounts',
    title: 'Accounts',
    description: 'The accounts with their ids, types, currencies and newest balances, by name.',
    scope: 'accounts:read',
    query: ListAccountsQuery,
    read: (caller, query, get) => get(AccountsController).list(caller, query),
  }),
  defineTool({
    name: 'list_statements',
    title: 'Stated balances',
    description:
      'Balances of an account that its person or a file states, and whether they agree with what else is known.',
    scope: 'accounts:read',
    query: ListStatementsQuery,
    read: (caller, query, get) => get(StatementsController).list(caller, query.account_id, query),
  }),
  defineTool({
    name: 'list_balances',
    title: 'Balances',
    description: 'What each account held at the end of each day, and what moved it. One record per account per day.',
    scope: 'balances:read',
    query: AccountFilterQuery,
    read: async ({ userId }, query, get) => {
      const { rows, totalCount } = await get(BalancesRepository).listPage(userId, query);
      return { balances: rows.map(toBalanceResponse), pagination: pagination(query, totalCount) };
    },
  }),
  defineTool({
    name: 'list_transactions',
    title: 'Transactions',
    description: 'Posted and pending transactions. `search` looks for words in description and merchant.',
    scope: 'transactions:read',
    query: ListTransactionsQuery,
    read: async ({ userId }, query, get) => {
      const { rows, totalCount } = await get(TransactionsRepository).listPage(userId, query);
      return { transactions: rows.map(toTransactionResponse), pagination: pagination(query, totalCount) };
    },
  }),
  defineTool({
    name: 'list_holdings',
    title: 'Holdings',
    description: 'The securities of investment accounts, most valuable first, with totals per currency.',
    scope: 'holdings:read',
    query: ListHoldingsQuery,
    read: (caller, query, get) => get(HoldingsController).list(caller, query),
  }),
  defineTool({
    name: 'get_net_worth',
    title: 'Net worth',
    description:
      'Assets less liabilities of all accounts in one currency over time; with `in` all currencies are exchanged into it. ' +
      '`warnings` names accounts that are left out, ' +
      'counted for some of the days only, or estimated; each `message` says which.',
    scope: 'balances:read',
    query: NetWorthQuery,
    read: (caller, query, get) => get(NetWorthService).report(caller, query),
  }),
  defineTool({
    name: 'get_net_worth_changes',
    title: 'Why net worth changed',
    description:
      'How the start of a period became its end, by currency and account: money in, money out, market, and what no ' +
      'transaction explains. Transfers between own accounts cancel in the totals.',
    scope: 'balances:read',
    query: NetWorthChangesQuery,
    read: (caller, query, get) => get(NetWorthChangesService).report(caller, query),
  }),
];
