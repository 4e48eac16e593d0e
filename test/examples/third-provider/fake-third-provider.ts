import { addDays, type CalendarDate } from '../../../src/platform/time/calendar-date.js';
import {
  type Fault,
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
} from '../../support/scripted-server.js';

export const TODAY: CalendarDate = '2026-03-15';
export const TOKEN = 'tp_0123456789abcdef';
const YEAR_DAYS = 365;

/** The vendor's server as its documentation describes it, with two accounts that have a year of history. */
export async function startFakeThirdProvider(): Promise<ScriptedServer> {
  const server = await startScriptedServer();
  server.play(answer);
  return server;
}

export function answer({ path, query, headers }: ScriptedRequest): ScriptedReply {
  if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: 'unknown token' } };
  if (path.endsWith('/accounts'))
    return { body: { accounts: [account('A-1', 'Checking'), account('A-2', 'Savings')] } };
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? TODAY];
  const wanted = TRANSACTIONS.filter(({ date }) => date >= from && date <= to);
  return { body: { transactions: wanted } };
}

/** Adds an item to a list of the vendor, in the answers that have that list. */
export function addTo(list: 'accounts' | 'transactions', item: object): Fault {
  return (reply) => {
    const body = reply.body as Record<string, object[] | undefined>;
    return body[list] ? { body: { [list]: [...body[list], item] } } : reply;
  };
}

export function account(id: string, name: string) {
  return { id, name, bank: 'Third Bank', currency: 'USD', balance: '1250.00', balance_date: TODAY };
}

/** A posted transaction of each account every ten days, and a pending one of yesterday. */
const TRANSACTIONS = ['A-1', 'A-2'].flatMap((accountId) => [
  transaction(accountId, addDays(TODAY, -1), 'pending'),
  ...Array.from({ length: YEAR_DAYS / 10 }, (_, index) =>
    transaction(accountId, addDays(TODAY, -10 * index), 'posted'),
  ),
]);

function transaction(accountId: string, date: CalendarDate, status: 'posted' | 'pending') {
  const amount = status === 'posted' ? '-2.50' : '-7.25';
  return { id: `${accountId}-${date}`, account_id: accountId, date, amount, description: 'Coffee', status };
}
