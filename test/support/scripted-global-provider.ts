import { HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import type { BankSnapshot, SnapshotRequest } from '../../src/providers/bank-provider.js';
import { ProviderHttp } from '../../src/providers/http/provider-http.js';
import { Secret } from '../../src/platform/config/secret.js';
import { GlobalProviderClient } from '../../src/providers/global-provider/client.js';
import { GlobalProvider } from '../../src/providers/global-provider/global-provider.module.js';
import type { CalendarDate } from '../../src/platform/time/calendar-date.js';
import {
  type Fault,
  type ScriptedAnswer,
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
  TIMEOUT_MS,
} from './scripted-server.js';

export const TODAY: CalendarDate = '2026-03-15';
export const API_KEY = 'gp-7f3a91c2-not-a-real-key';

/** What the fake holds of one account. */
export interface FakeAccount {
  /** As the list has it. */
  wire: { id: string | number };
  balance?: unknown;
  transactions?: object[];
  /** None: not available, 501. */
  holdings?: object;
}

/** The provider under test, talking to a scripted server: no waits before retries, no log. */
export interface ScriptedGlobalProvider {
  server: ScriptedServer;
  provider: GlobalProvider;
  credential: Secret;
  /** How many requests the budget was asked for. */
  spent: () => number;
  /** How long was waited before retries, in seconds, each without its part of chance. */
  waits: number[];
  snapshot: (more?: Partial<SnapshotRequest>) => Promise<BankSnapshot>;
  /** From now on these are the accounts. */
  serve: (accounts: FakeAccount[], fault?: Fault) => void;
  /** The days from and to which transactions were asked for, both inclusive, in the order of asking. */
  windows: () => [CalendarDate | null, CalendarDate | null][];
}

export async function startScriptedGlobalProvider(): Promise<ScriptedGlobalProvider> {
  Logger.overrideLogger(false);
  const server = await startScriptedServer();
  const rules = { allowedHosts: ['127.0.0.1'], allowPrivateNetwork: true };
  const waits: number[] = [];
  const http = new ProviderHttp(new HttpService(), {
    ...{ rules, now: () => new Date(`${TODAY}T12:00:00Z`), random: () => 0 },
    ...{ wait: (ms) => Promise.resolve(void waits.push(ms / 1000)), deadline: server.deadline },
  });
  const client = new GlobalProviderClient(http, {
    baseUrl: `${server.url}/api/v1`,
    timeoutMs: TIMEOUT_MS,
    rawLog: null,
  });
  const provider = new GlobalProvider(client, true);
  const credential = new Secret(API_KEY);
  let spent = 0;
  return {
    ...{ server, provider, credential, waits },
    spent: () => spent,
    serve: (accounts, fault) => server.play(globalProviderScript(accounts, fault)),
    snapshot: (more) =>
      provider.fetchSnapshot({
        ...{ credential, today: TODAY, historyFrom: '2026-02-01', covered: new Map(), includePending: true },
        withoutHoldings: new Set(),
        budget: { spend: () => Promise.resolve(void spent++) },
        renewCredential: () => Promise.resolve(),
        onProgress: () => undefined,
        signal: new AbortController().signal,
        ...more,
      }),
    windows: () =>
      server.requests.filter(isFor('transactions')).map(({ query }) => [query.get('from'), query.get('to')]),
  };
}

/** Whether a request is for that part of an account; with an id, of that account. */
export function isFor(part: 'balance' | 'transactions' | 'holdings', id?: string | number) {
  return ({ path }: ScriptedRequest): boolean =>
    path.endsWith(`/${part}`) && (id === undefined || path.includes(`/accounts/${id}/`));
}

export function isList({ path }: ScriptedRequest): boolean {
  return path === '/api/v1/accounts';
}

/** A server of the provider's protocol, as it is documented and without faults of its own. */
export function globalProviderScript(accounts: FakeAccount[], fault: Fault = (reply) => reply) {
  return (request: ScriptedRequest, index: number): ScriptedAnswer =>
    fault(goodReply(accounts, request), request, index);
}

function goodReply(accounts: FakeAccount[], request: ScriptedRequest): ScriptedReply {
  const key = request.headers['x-api-key'];
  if (key === undefined) return refusal(401, 'Unauthorized');
  if (key !== API_KEY) return refusal(403, 'Forbidden');
  if (isList(request)) return { body: { accounts: accounts.map(({ wire }) => wire), total: accounts.length } };
  const [, id, part] = /^\/api\/v1\/accounts\/([^/]+)\/(\w+)$/.exec(request.path) ?? [];
  const account = accounts.find(({ wire }) => String(wire.id) === id);
  if (!account) return refusal(404, 'Not Found');
  if (part === 'balance') return { body: account.balance ?? wireBalance(100) };
  if (part === 'transactions') {
    const rows = listed(account.transactions ?? [], request.query);
    return { body: wirePage(rows.map((row) => ({ ...row, accountId: row.accountId ?? account.wire.id }))) };
  }
  return account.holdings ? { body: account.holdings } : refusal(501, 'Not Implemented');
}

function refusal(status: number, error: string): ScriptedReply {
  return { status, body: { error, message: `${error}, says the provider.` } };
}

function listed(transactions: object[], query: URLSearchParams): { accountId?: unknown }[] {
  const rows = transactions as { accountId?: unknown; date?: string; isPending?: boolean }[];
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9999'];
  return rows
    .filter(({ date = '' }) => date.slice(0, 10) >= from && date.slice(0, 10) <= to)
    .filter(({ isPending }) => !isPending || query.get('include_pending') === 'true')
    .sort((a, b) => (a.date! < b.date! ? 1 : a.date! > b.date! ? -1 : 0));
}

export function wirePage(transactions: object[], more: object = {}): object {
  return { transactions, total: transactions.length, ...more };
}

export function wireAccount(more: object = {}): { id: string | number } {
  return {
    ...{ id: 20417, connection_id: 811, name: 'Compte courant', institution_name: 'Banque du Lac' },
    ...{ institution_logo: null, provider: 'gocardless', status: 'ACTIVE' },
    ...more,
  };
}

export function wireBalance(amount: unknown, currency: unknown = 'EUR'): object {
  return { balance: { amount, currency } };
}

export function wireTransaction(id: unknown, date: unknown, amount: unknown, more: object = {}): object {
  return {
    ...{ id, amount, currency: 'EUR', date, merchant: 'Epicerie Verte' },
    ...{ description: 'CB EPICERIE VERTE 0403', isPending: false },
    ...more,
  };
}

/** A pending row as most banks list it: without an id. */
export function wireHold(date: CalendarDate, amount: number, more: object = {}): object {
  return wireTransaction(null, date, amount, { merchant: 'Metro Ville', description: '', isPending: true, ...more });
}

export function wireHolding(more: object = {}): object {
  return {
    security: {
      ...{ name: 'Maple Dividend ETF', currency: 'EUR', tickerSymbol: 'MDVX' },
      ...{ figi: null, cusp: null, isin: 'CA0000000001' },
    },
    ...{ quantity: 42.5, price: 31.2, value: 1326, costBasis: 1190.25, currency: 'EUR' },
    raw: { snaptrade: { id: 'pos-5512' } },
    ...more,
  };
}

export function wireHoldings(holdings: object[], totalValue: unknown = 1326, currency: unknown = 'EUR'): object {
  return { holdings, totalValue, currency };
}
