import { HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import type { BankSnapshot, KnownAccount, SnapshotRequest } from '../../src/providers/bank-provider.js';
import { ProviderHttp } from '../../src/providers/http/provider-http.js';
import { Secret } from '../../src/platform/config/secret.js';
import { type CalendarDate, unixSecondsOf } from '../../src/platform/time/calendar-date.js';
import { UsProviderClient } from '../../src/providers/us-provider/client.js';
import { UsProvider } from '../../src/providers/us-provider/us-provider.module.js';
import { type ScriptedRequest, type ScriptedServer, startScriptedServer, TIMEOUT_MS } from './scripted-server.js';

export const TODAY: CalendarDate = '2026-03-15';
const NOON_SECONDS = 43_200;

/** The provider under test, talking to a scripted server: no waits before retries, no log. */
export interface ScriptedUsProvider {
  server: ScriptedServer;
  provider: UsProvider;
  credential: Secret;
  /** How many requests the budget was asked for. */
  spent: () => number;
  snapshot: (more?: Partial<SnapshotRequest>) => Promise<BankSnapshot>;
  /** The days from and until which transactions were asked for, in the order of asking; `null`: until now. */
  windows: () => [CalendarDate, CalendarDate | null][];
}

export async function startScriptedUsProvider(): Promise<ScriptedUsProvider> {
  Logger.overrideLogger(false);
  const server = await startScriptedServer();
  const rules = { allowedHosts: ['127.0.0.1'], allowPrivateNetwork: true };
  const http = new ProviderHttp(new HttpService(), {
    ...{ rules, now: () => new Date(`${TODAY}T12:00:00Z`), wait: () => Promise.resolve() },
    deadline: server.deadline,
  });
  const provider = new UsProvider(new UsProviderClient(http, TIMEOUT_MS), rules);
  const credential = new Secret(server.url.replace('//', '//user:password@') + '/simplefin');
  let spent = 0;
  return {
    ...{ server, provider, credential },
    spent: () => spent,
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
      server.requests.filter(isForTransactions).map(({ query }) => [day(query, 'start-date')!, day(query, 'end-date')]),
  };
}

export function isForAccounts({ path }: ScriptedRequest): boolean {
  return path.endsWith('/accounts');
}

export function isForTransactions(request: ScriptedRequest): boolean {
  return isForAccounts(request) && !request.query.has('balances-only');
}

function day(query: URLSearchParams, name: string): CalendarDate | null {
  const seconds = query.get(name);
  return seconds === null ? null : new Date(Number(seconds) * 1000).toISOString().replace('T00:00:00.000Z', '');
}

/** Noon of a day in UTC, as the wire has it. */
export function noon(date: CalendarDate): number {
  return unixSecondsOf(date) + NOON_SECONDS;
}

/** What is stored of an account. */
export function knownAccount(more: Partial<KnownAccount> = {}): KnownAccount {
  return {
    ...{ name: 'Everyday Checking', nameChosen: false, institution: null, currency: 'USD' },
    ...{ accountType: null, holdingsSupported: null, ...more },
  };
}

/** An account of the newer dialect as the wire has it. */
export function wireAccount(more: object = {}): object {
  return {
    ...{ id: 'ACT-1', name: 'Everyday Checking', conn_id: 'CON-1', currency: 'USD', balance: '100.00' },
    ...{ 'available-balance': '90.00', 'balance-date': noon(TODAY), transactions: [], holdings: [] },
    ...more,
  };
}

export function wireTransaction(id: string, date: CalendarDate, amount: unknown, more: object = {}): object {
  const at = noon(date);
  return {
    id,
    posted: at,
    transacted_at: at,
    amount,
    description: 'SHOP',
    payee: 'Shop',
    memo: '',
    mcc: null,
    ...more,
  };
}

export function wireHold(id: string, date: CalendarDate, amount: string, more: object = {}): object {
  return wireTransaction(id, date, amount, { posted: 0, pending: true, ...more });
}

/** A whole answer of the newer dialect. */
export function wireSet(accounts: object[], more: object = {}): object {
  const connection = { conn_id: 'CON-1', name: 'Tidewater Bank - Rowan', org_id: 'INST-1', org_name: 'Tidewater Bank' };
  return { errlist: [], connections: [connection], accounts, ...more };
}
