import { addDays, type CalendarDate, dateOfUnixSeconds } from '../../src/platform/time/calendar-date.js';
import { type ScriptedRequest, type ScriptedServer, startScriptedServer } from '../../test/support/scripted-server.js';
import {
  isForTransactions,
  noon,
  wireAccount,
  wireSet,
  wireTransaction,
} from '../../test/support/scripted-us-provider.js';

interface Life {
  name: string;
  /** Transactions of so many days are one row each. */
  everyDays: number;
  positions: number;
}

/** What people have: two accounts that are used daily, two that hardly move, one with securities. */
const LIVES: readonly Life[] = [
  { name: 'Checking', everyDays: 0.5, positions: 0 },
  { name: 'Credit Card', everyDays: 0.7, positions: 0 },
  { name: 'Savings', everyDays: 30, positions: 0 },
  { name: 'Car Loan', everyDays: 30, positions: 0 },
  { name: 'Brokerage', everyDays: 30, positions: 15 },
];
const CENTS = 100;
const WEEKEND: ReadonlySet<number> = new Set([0, 6]);

/** A bank at the network with one household, whose accounts move with the time that a bench tells it. */
export interface HouseholdBank {
  server: ScriptedServer;
  accounts: number;
  setupToken: string;
}

/** @param now of the bench @param firstDay from which there are transactions */
export async function startHouseholdBank(now: () => Date, firstDay: CalendarDate): Promise<HouseholdBank> {
  const server = await startScriptedServer();
  server.play((request) => {
    if (request.method === 'POST') {
      return { body: server.url.replace('//', '//user:password@'), headers: { 'Content-Type': 'text/plain' } };
    }
    return { body: wireSet(LIVES.map((life) => accountOf(life, request, now(), firstDay))) };
  });
  return { server, accounts: LIVES.length, setupToken: Buffer.from(`${server.url}/claim`).toString('base64') };
}

function accountOf(life: Life, request: ScriptedRequest, now: Date, firstDay: CalendarDate): object {
  const today = now.toISOString().slice(0, 10);
  const posted = numbersUntil(life, firstDay, today);
  const from = dayOf(request, 'start-date') ?? today;
  const until = dayOf(request, 'end-date') ?? addDays(today, 1);
  const wanted = posted.filter(({ day }) => day >= from && day < until);
  const value = pricesAt(life, now).reduce((sum, { value }) => sum + value, 0);
  const cash = posted.reduce((sum, { cents }) => sum + cents, 1_000_000);
  return wireAccount({
    ...{ id: life.name, name: life.name, balance: amount(cash + value), 'available-balance': amount(cash) },
    'balance-date': Math.floor(now.getTime() / 1000),
    transactions: isForTransactions(request)
      ? wanted.map(({ number, day, cents }) => wireTransaction(`${life.name}-${number}`, day, amount(cents)))
      : [],
    holdings: pricesAt(life, now).map(({ id, shares, value }) => ({
      ...{ id, created: noon(firstDay), currency: 'USD', cost_basis: '100.00', description: `Fund ${id}` },
      ...{ market_value: amount(value), purchase_price: '10.00', shares, symbol: id },
    })),
  });
}

function numbersUntil({ everyDays }: Life, firstDay: CalendarDate, today: CalendarDate) {
  const posted: { number: number; day: CalendarDate; cents: number }[] = [];
  for (let number = 0; ; number++) {
    const day = addDays(firstDay, Math.floor(number * everyDays));
    if (day > today) return posted;
    posted.push({ number, day, cents: number % 20 === 0 ? 150_000 : -((number * 7919) % 9_000) - 1 });
  }
}

/** Markets move four times on a working day. */
function pricesAt({ positions }: Life, now: Date) {
  const moved = new Date(now);
  while (WEEKEND.has(moved.getUTCDay())) moved.setUTCDate(moved.getUTCDate() - 1);
  const moment = WEEKEND.has(now.getUTCDay()) ? Date.parse(moved.toISOString().slice(0, 10)) : moved.getTime();
  const step = Math.floor(moment / 21_600_000);
  return Array.from({ length: positions }, (_, index) => {
    return { id: `F${index}`, shares: String(10 + index), value: 100_000 + ((step * (index + 3) * 31) % 5_000) };
  });
}

function dayOf({ query }: ScriptedRequest, name: string): CalendarDate | null {
  const seconds = query.get(name);
  return seconds === null ? null : dateOfUnixSeconds(Number(seconds));
}

function amount(cents: number): string {
  return (cents / CENTS).toFixed(2);
}
