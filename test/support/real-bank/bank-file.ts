import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { addDays, type CalendarDate, daysBetween } from '../../../src/platform/time/calendar-date.js';

/** A row of a real bank's books: what was booked, and the balance the bank printed beside it. */
export interface BankRow {
  account: string;
  date: CalendarDate;
  amountMinor: number;
  balanceMinor: number;
  kind: string;
}

const HEADER = 'account,date,amount_cents,balance_cents,kind';

/** Reads such books (CSV, gzipped or not; rows of an account in booking order), all dates moved so that they end today. */
export function readBankFile(path: string, today: CalendarDate): Map<string, BankRow[]> {
  const bytes = readFileSync(path);
  const [header, ...lines] = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n');
  if (header?.trim() !== HEADER) throw new Error(`${path} must begin with the line ${HEADER}`);
  const rows = lines.map(parseRow);
  const newest = rows.reduce((latest, { date }) => (date > latest ? date : latest), '');
  const shift = daysBetween(newest, today);
  const accounts = new Map<string, BankRow[]>();
  for (const row of rows) {
    const moved = { ...row, date: addDays(row.date, shift) };
    const known = accounts.get(row.account);
    if (known) known.push(moved);
    else accounts.set(row.account, [moved]);
  }
  return accounts;
}

function parseRow(line: string): BankRow {
  const [account = '', date = '', amount, balance, kind = ''] = line.trim().split(',');
  return { account, date, amountMinor: Number(amount), balanceMinor: Number(balance), kind };
}
