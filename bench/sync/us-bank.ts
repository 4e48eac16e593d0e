import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decimalText } from '../../src/platform/money/minor-units.js';
import { unixSecondsOf } from '../../src/platform/time/calendar-date.js';
import type { BankRow } from './rows.js';

const NOON_SECONDS = 43_200;

export interface UsBank {
  /** What a connection asks with. */
  accessUrl: string;
  /** From now on these rows are there. Answers to what was asked before are ready at once. */
  serve: (rows: readonly BankRow[]) => void;
  stop: () => void;
}

/** Of a service that asks such a bank. */
export const BANK_SETTINGS = { PROVIDER_ALLOW_PRIVATE_NETWORK: '1', USPROVIDER_ALLOWED_HOSTS: '*' };

/** A bank behind the US provider's protocol that is no part of what is measured: it has ready what it was asked before. */
export async function startUsBank(): Promise<UsBank> {
  let rows: readonly BankRow[] = [];
  const ready = new Map<string, Buffer>();
  const prepare = (target: string): Buffer => {
    const bytes = Buffer.from(JSON.stringify(answer(rows, new URL(target, 'http://bank'))));
    ready.set(target, bytes);
    return bytes;
  };
  const server = createServer(({ url: target = '' }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(ready.get(target) ?? prepare(target));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    accessUrl: `http://user:password@127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (given) => {
      rows = given;
      for (const target of ready.keys()) prepare(target);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(rows: readonly BankRow[], { pathname, searchParams }: URL): object {
  if (pathname !== '/accounts') return { versions: ['1.0'] };
  // Balances alone come without a date, and without a row.
  const from = Number(searchParams.get('start-date') ?? Infinity);
  return accountSet(rows, from, Number(searchParams.get('end-date') ?? Infinity));
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
