import { Injectable } from '@nestjs/common';
import { ACCOUNT_FILTER_PARAMETERS, AccountFilterQuery } from '../accounts/account-filter.query.js';
import { toAccountResponse } from '../accounts/account.response.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { toHoldingResponse, toHoldingTotal } from '../accounts/holdings/holding.response.js';
import { HoldingsRepository } from '../accounts/holdings/holdings.repository.js';
import { LIST_HOLDINGS_PARAMETERS, ListHoldingsQuery } from '../accounts/holdings/list-holdings.query.js';
import {
  LIST_TRANSACTIONS_PARAMETERS,
  ListTransactionsQuery,
} from '../accounts/transactions/list-transactions.query.js';
import { toTransactionResponse } from '../accounts/transactions/transaction.response.js';
import { TransactionsRepository } from '../accounts/transactions/transactions.repository.js';
import type { Scope } from '../auth/scopes.js';
import { NET_WORTH_PARAMETERS, NetWorthQuery } from '../balances/net-worth/net-worth.query.js';
import { NetWorthReportService } from '../balances/net-worth/net-worth-report.service.js';
import { BalancesRepository } from '../balances/record/balances.repository.js';
import { toBalanceResponse } from '../balances/record/to-balance-response.js';
import type { Caller } from '../http/caller.js';
import { QueryPipe } from '../http/input/query.pipe.js';
import { PAGE_PARAMETERS, PageQuery, pagination } from '../http/pagination/page.js';
import { ConnectionOverviewQueries } from '../sync/overview/connection-overview.queries.js';
import { toConnectionResponse } from '../sync/overview/connection.response.js';

/** What a person's assistant may look up. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  /** Names of its arguments: those of the API's list. Reading by cursor is for programs that copy. */
  parameters: readonly string[];
  /** @throws ApiError for arguments that the API's list would refuse */
  read: (parameters: Record<string, string>) => Promise<object>;
}

interface ScopedTool extends McpTool {
  scope: Scope;
}

/** The tools of the MCP server: the lists of the API, read only. */
@Injectable()
export class McpToolsService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly balances: BalancesRepository,
    private readonly transactions: TransactionsRepository,
    private readonly holdings: HoldingsRepository,
    private readonly netWorth: NetWorthReportService,
    private readonly connections: ConnectionOverviewQueries,
  ) {}

  /** Those for which the key has the scope. */
  of(caller: Caller): McpTool[] {
    const tools = [
      this.#accounts(caller),
      this.#balances(caller),
      this.#transactions(caller),
      this.#holdings(caller),
      this.#netWorth(caller),
      this.#connections(caller),
    ];
    return tools.filter(({ scope }) => caller.scopes.includes(scope));
  }

  #accounts({ userId }: Caller): ScopedTool {
    const query = new QueryPipe(PageQuery, PAGE_PARAMETERS);
    return {
      name: 'list_accounts',
      title: 'Accounts',
      description: 'The accounts with their ids, types, currencies and newest balances, by name.',
      scope: 'accounts:read',
      parameters: PAGE_PARAMETERS,
      read: async (parameters) => {
        const page = query.transform(parameters);
        const { rows, totalCount } = await this.accounts.listPage(userId, page);
        return { accounts: rows.map(toAccountResponse), pagination: pagination(page, totalCount) };
      },
    };
  }

  #balances({ userId }: Caller): ScopedTool {
    const names = ACCOUNT_FILTER_PARAMETERS.filter((name) => name !== 'cursor');
    const query = new QueryPipe(AccountFilterQuery, names);
    return {
      name: 'list_balances',
      title: 'Balances',
      description: 'What each account held at the end of each day, and what moved it. One record per account per day.',
      scope: 'balances:read',
      parameters: names,
      read: async (parameters) => {
        const filter = query.transform(parameters);
        const { rows, totalCount } = await this.balances.listPage(userId, filter);
        return { balances: rows.map(toBalanceResponse), pagination: pagination(filter, totalCount) };
      },
    };
  }

  #transactions({ userId }: Caller): ScopedTool {
    const names = LIST_TRANSACTIONS_PARAMETERS.filter((name) => name !== 'cursor');
    const query = new QueryPipe(ListTransactionsQuery, names);
    return {
      name: 'list_transactions',
      title: 'Transactions',
      description: 'Posted and pending transactions. `search` looks for words in description and merchant.',
      scope: 'transactions:read',
      parameters: names,
      read: async (parameters) => {
        const filter = query.transform(parameters);
        const { rows, totalCount } = await this.transactions.listPage(userId, filter);
        return { transactions: rows.map(toTransactionResponse), pagination: pagination(filter, totalCount) };
      },
    };
  }

  #holdings({ userId }: Caller): ScopedTool {
    const query = new QueryPipe(ListHoldingsQuery, LIST_HOLDINGS_PARAMETERS);
    return {
      name: 'list_holdings',
      title: 'Holdings',
      description: 'The securities of investment accounts, most valuable first, with totals per currency.',
      scope: 'holdings:read',
      parameters: LIST_HOLDINGS_PARAMETERS,
      read: async (parameters) => {
        const filter = query.transform(parameters);
        const { rows, totals, totalCount } = await this.holdings.listPage(userId, filter);
        return {
          holdings: rows.map(toHoldingResponse),
          totals: totals.map(toHoldingTotal),
          pagination: pagination(filter, totalCount),
        };
      },
    };
  }

  #netWorth(caller: Caller): ScopedTool {
    const query = new QueryPipe(NetWorthQuery, NET_WORTH_PARAMETERS);
    return {
      name: 'get_net_worth',
      title: 'Net worth',
      description:
        'Assets less liabilities of all accounts in one currency over time. `warnings` names accounts that are not in it.',
      scope: 'balances:read',
      parameters: NET_WORTH_PARAMETERS,
      read: (parameters) => this.netWorth.read(caller, query.transform(parameters)),
    };
  }

  #connections({ userId }: Caller): ScopedTool {
    const query = new QueryPipe(PageQuery, PAGE_PARAMETERS);
    return {
      name: 'list_connections',
      title: 'Connections',
      description: 'The connected banks: whether they work, how fresh their data are, and what a person has to do.',
      scope: 'connections:read',
      parameters: PAGE_PARAMETERS,
      read: async (parameters) => {
        const page = query.transform(parameters);
        const { rows, totalCount } = await this.connections.list(userId, page);
        return { connections: rows.map(toConnectionResponse), pagination: pagination(page, totalCount) };
      },
    };
  }
}
