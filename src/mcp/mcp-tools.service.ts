import { Injectable, type Type } from '@nestjs/common';
import {
  AccountFilterQuery,
  ListAccountsQuery,
  ListHoldingsQuery,
  ListTransactionsQuery,
} from '../accounts/account-filter.query.js';
import { toAccountResponse } from '../accounts/account.response.js';
import { limitFilter } from '../auth/account-limits.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { toHoldingResponse, toHoldingTotal } from '../accounts/holdings/holding.response.js';
import { HoldingsRepository } from '../accounts/holdings/holdings.repository.js';
import { toTransactionResponse } from '../accounts/transactions/transaction.response.js';
import { TransactionsRepository } from '../accounts/transactions/transactions.repository.js';
import type { Scope } from '../auth/scopes.js';
import { NetWorthQuery } from '../balances/net-worth/net-worth.query.js';
import { NetWorthService } from '../balances/net-worth/net-worth.service.js';
import { BalancesRepository } from '../balances/record/balances.repository.js';
import { toBalanceResponse } from '../balances/record/balance.response.js';
import type { Caller } from '../http/caller.js';
import { queryParametersOf } from '../http/input/query-parameters.js';
import { RequestValidationPipe } from '../http/input/request-validation.pipe.js';
import { PageQuery, pagination } from '../http/pagination/page.js';
import { ConnectionOverviewQueries } from '../sync/overview/connection-overview.queries.js';
import { toConnectionResponse } from '../sync/overview/connection.response.js';

/** A read-only tool of a person's assistant. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  scope: Scope;
  /** Names of its arguments: the query parameters of the API's list. */
  parameters: readonly string[];
  /** @throws DomainError for arguments that the API's list would refuse */
  read: (parameters: Record<string, string>) => Promise<object>;
}

/** Reading by cursor is for programs that copy whole lists. */
const NOT_FOR_ASSISTANTS = 'cursor';

/** The tools of the MCP server: the lists of the API, read only. */
@Injectable()
export class McpToolsService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly balances: BalancesRepository,
    private readonly transactions: TransactionsRepository,
    private readonly holdings: HoldingsRepository,
    private readonly netWorth: NetWorthService,
    private readonly connections: ConnectionOverviewQueries,
    private readonly validation: RequestValidationPipe,
  ) {}

  /** The tools for which the key has the scope. */
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

  #tool<Query extends object>(
    { accountIds }: Caller,
    queryClass: Type<Query>,
    read: (query: Query) => Promise<object>,
    description: Omit<McpTool, 'parameters' | 'read'>,
  ): McpTool {
    return {
      ...description,
      parameters: [...queryParametersOf(queryClass)].filter((name) => name !== NOT_FOR_ASSISTANTS),
      read: async (parameters) => {
        const limited = accountIds ? limitFilter(parameters, accountIds) : parameters;
        return read(this.validation.readQuery(queryClass, limited));
      },
    };
  }

  #accounts(caller: Caller): McpTool {
    const read = async (page: ListAccountsQuery) => {
      const { rows, totalCount } = await this.accounts.listPage(caller.userId, page);
      return { accounts: rows.map(toAccountResponse), pagination: pagination(page, totalCount) };
    };
    return this.#tool(caller, ListAccountsQuery, read, {
      name: 'list_accounts',
      title: 'Accounts',
      description: 'The accounts with their ids, types, currencies and newest balances, by name.',
      scope: 'accounts:read',
    });
  }

  #balances(caller: Caller): McpTool {
    const read = async (filter: AccountFilterQuery) => {
      const { rows, totalCount } = await this.balances.listPage(caller.userId, filter);
      return { balances: rows.map(toBalanceResponse), pagination: pagination(filter, totalCount) };
    };
    return this.#tool(caller, AccountFilterQuery, read, {
      name: 'list_balances',
      title: 'Balances',
      description: 'What each account held at the end of each day, and what moved it. One record per account per day.',
      scope: 'balances:read',
    });
  }

  #transactions(caller: Caller): McpTool {
    const read = async (filter: ListTransactionsQuery) => {
      const { rows, totalCount } = await this.transactions.listPage(caller.userId, filter);
      return { transactions: rows.map(toTransactionResponse), pagination: pagination(filter, totalCount) };
    };
    return this.#tool(caller, ListTransactionsQuery, read, {
      name: 'list_transactions',
      title: 'Transactions',
      description: 'Posted and pending transactions. `search` looks for words in description and merchant.',
      scope: 'transactions:read',
    });
  }

  #holdings(caller: Caller): McpTool {
    const read = async (filter: ListHoldingsQuery) => {
      const { rows, totals, totalCount } = await this.holdings.listPage(caller.userId, filter);
      return {
        holdings: rows.map(toHoldingResponse),
        totals: totals.map(toHoldingTotal),
        pagination: pagination(filter, totalCount),
      };
    };
    return this.#tool(caller, ListHoldingsQuery, read, {
      name: 'list_holdings',
      title: 'Holdings',
      description: 'The securities of investment accounts, most valuable first, with totals per currency.',
      scope: 'holdings:read',
    });
  }

  #netWorth(caller: Caller): McpTool {
    return this.#tool(caller, NetWorthQuery, (query) => this.netWorth.report(caller, query), {
      name: 'get_net_worth',
      title: 'Net worth',
      description:
        'Assets less liabilities of all accounts in one currency over time. `warnings` names accounts that are not in it.',
      scope: 'balances:read',
    });
  }

  #connections(caller: Caller): McpTool {
    const read = async (page: PageQuery) => {
      const { rows, totalCount } = await this.connections.list(caller.userId, page);
      return { connections: rows.map(toConnectionResponse), pagination: pagination(page, totalCount) };
    };
    return this.#tool(caller, PageQuery, read, {
      name: 'list_connections',
      title: 'Connections',
      description: 'The connected banks: whether they work, how fresh their data are, and what a person has to do.',
      scope: 'connections:read',
    });
  }
}
