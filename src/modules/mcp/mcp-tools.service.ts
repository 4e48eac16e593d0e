import { Injectable, type Type } from '@nestjs/common';
import {
  AccountFilterQuery,
  ListAccountsQuery,
  ListHoldingsQuery,
  ListTransactionsQuery,
} from '../../balances/accounts/account-filter.query.js';
import { toAccountResponse } from '../../balances/accounts/account.response.js';
import { limitFilter } from '../../auth/account-limits.guard.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { toHoldingCollection } from '../../balances/holdings/holding.response.js';
import { HoldingsRepository } from '../../balances/holdings/holdings.repository.js';
import { toTransactionResponse } from '../../balances/transactions/transaction.response.js';
import { TransactionsRepository } from '../../balances/transactions/transactions.repository.js';
import type { Scope } from '../../auth/scopes.js';
import { NetWorthQuery } from '../../balances/net-worth/net-worth.query.js';
import { NetWorthService } from '../../balances/net-worth/net-worth.service.js';
import { BalancesRepository } from '../../balances/record/balances.repository.js';
import { toBalanceResponse } from '../../balances/record/balance.response.js';
import type { Caller } from '../../http/caller.js';
import { queryParametersOf } from '../../http/input/query-parameters.guard.js';
import { RequestValidationPipe } from '../../http/input/request-validation.pipe.js';
import { PageQuery, pagination } from '../../http/pagination/page.js';
import { ConnectionOverviewQueries } from '../../sync/overview/connection-overview.queries.js';
import { toConnectionResponse } from '../../sync/overview/connection.response.js';

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

/** A tool, with the query of the API's list in place of texts. */
type ListTool<Query> = Omit<McpTool, 'parameters' | 'read'> & {
  query: Type<Query>;
  read: (query: Query) => Promise<object>;
};

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
  listTools(caller: Caller): McpTool[] {
    return this.#all(caller).filter(({ scope }) => caller.scopes.includes(scope));
  }

  #all(caller: Caller): McpTool[] {
    const { userId } = caller;
    return [
      this.#tool(caller, {
        name: 'list_accounts',
        title: 'Accounts',
        description: 'The accounts with their ids, types, currencies and newest balances, by name.',
        scope: 'accounts:read',
        query: ListAccountsQuery,
        read: async (query) =>
          pageOf('accounts', await this.accounts.listPage(userId, query), toAccountResponse, query),
      }),
      this.#tool(caller, {
        name: 'list_balances',
        title: 'Balances',
        description:
          'What each account held at the end of each day, and what moved it. One record per account per day.',
        scope: 'balances:read',
        query: AccountFilterQuery,
        read: async (query) =>
          pageOf('balances', await this.balances.listPage(userId, query), toBalanceResponse, query),
      }),
      this.#tool(caller, {
        name: 'list_transactions',
        title: 'Transactions',
        description: 'Posted and pending transactions. `search` looks for words in description and merchant.',
        scope: 'transactions:read',
        query: ListTransactionsQuery,
        read: async (query) =>
          pageOf('transactions', await this.transactions.listPage(userId, query), toTransactionResponse, query),
      }),
      this.#tool(caller, {
        name: 'list_holdings',
        title: 'Holdings',
        description: 'The securities of investment accounts, most valuable first, with totals per currency.',
        scope: 'holdings:read',
        query: ListHoldingsQuery,
        read: async (query) => toHoldingCollection(await this.holdings.listPage(userId, query), query),
      }),
      this.#tool(caller, {
        name: 'get_net_worth',
        title: 'Net worth',
        description:
          'Assets less liabilities of all accounts in one currency over time. `warnings` names accounts that are left out, ' +
          'counted for some of the days only, or estimated; each `message` says which.',
        scope: 'balances:read',
        query: NetWorthQuery,
        read: (query) => this.netWorth.report(caller, query),
      }),
      this.#tool(caller, {
        name: 'list_connections',
        title: 'Connections',
        description: 'The connected banks: whether they work, how fresh their data are, and what a person has to do.',
        scope: 'connections:read',
        query: PageQuery,
        read: async (query) =>
          pageOf('connections', await this.connections.list(userId, query), toConnectionResponse, query),
      }),
    ];
  }

  #tool<Query extends object>({ accountIds }: Caller, { query: queryClass, read, ...about }: ListTool<Query>): McpTool {
    return {
      ...about,
      parameters: [...queryParametersOf(queryClass)].filter((name) => name !== NOT_FOR_ASSISTANTS),
      read: async (parameters) => {
        const limited = accountIds ? limitFilter(parameters, accountIds) : parameters;
        return read(this.validation.readQuery(queryClass, limited));
      },
    };
  }
}

/** As the API answers a list. */
function pageOf<Row>(
  name: string,
  { rows, totalCount }: { rows: readonly Row[]; totalCount: number },
  toResponse: (row: Row) => object,
  query: PageQuery,
): object {
  return { [name]: rows.map((row) => toResponse(row)), pagination: pagination(query, totalCount) };
}
