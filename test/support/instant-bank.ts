import { addDays, type CalendarDate } from '../../src/platform/time/calendar-date.js';
import { type Script, type ScriptedRequest, type ScriptedServer, startScriptedServer } from './scripted-server.js';
import { isForAccounts, noon, wireAccount, wireSet, wireTransaction } from './scripted-us-provider.js';

const TRANSACTIONS = 5;

/** A provider at the network that answers at once: every user of it has some small accounts, always the same. */
export interface InstantBank {
  server: ScriptedServer;
  /** For `POST /api/v1/connections`. */
  setupToken: (user: string) => string;
  /** What such a token is worth. */
  credential: (user: string) => string;
  /** Answers requests for accounts by a script from now on; `null`: at once and well. */
  play: (script: Script | null) => void;
  /** How often accounts were asked for, with balances or with transactions. */
  asked: (user?: string) => number;
}

export async function startInstantBank(today: CalendarDate, accounts = 3): Promise<InstantBank> {
  const server = await startScriptedServer();
  const credential = (user: string) => `${server.url.replace('//', `//${user}:password@`)}/simplefin`;
  let answer: Script | null = null;
  server.play((request, index) => {
    if (request.method === 'POST') return { body: credential(request.path.split('/').at(-1)!), headers: TEXT };
    if (!isForAccounts(request)) return { status: 404 };
    return answer ? answer(request, index) : { body: accountsOf(userOf(request), today, accounts) };
  });
  return {
    server,
    setupToken: (user) => Buffer.from(`${server.url}/claim/${user}`).toString('base64'),
    credential,
    play: (script) => void (answer = script),
    asked: (user) =>
      server.requests.filter((request) => isForAccounts(request) && (!user || userOf(request) === user)).length,
  };
}

const TEXT = { 'Content-Type': 'text/plain' };

/** Who asks, by the name in the Basic credentials. */
export function userOf({ headers }: ScriptedRequest): string {
  const [user = ''] = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64')
    .toString()
    .split(':');
  return user;
}

/** @param more transactions of each account besides its newest ones */
export function accountsOf(user: string, today: CalendarDate, count: number, more: object[] = []): object {
  return wireSet(
    Array.from({ length: count }, (_, index) => {
      const id = `${user}-${index}`;
      const transactions = Array.from({ length: TRANSACTIONS }, (_, row) =>
        wireTransaction(`${id}-${row}`, addDays(today, -row - 1), `-${row + 1}.00`),
      );
      return wireAccount({
        id,
        name: `Account ${index}`,
        transactions: [...transactions, ...more],
        'balance-date': noon(today),
      });
    }),
  );
}
