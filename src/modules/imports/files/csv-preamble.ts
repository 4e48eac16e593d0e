import { type CalendarDate, currencyCode } from '../../../kit.js';
import { decimalSignOf, minorOf, type WrittenAmount, writtenAmount } from './amounts.js';
import type { CsvRecord } from './csv-records.js';
import { plainName } from './csv-words.js';
import { dayOf, type WrittenDate, writtenDate } from './dates.js';
import type { DateOrder, DecimalSign } from './statement-file.js';

/** What is longer says nothing of an account. */
const MAX_CELL = 200;
const IBAN = /\b[A-Z]{2}\d{2}(?:\s?[A-Z\d]{4}){2,7}(?:\s?[A-Z\d]{1,3})?\b/;
const DATE_WITHIN = /\d{1,4}[-/.]\s?\d{1,2}[-/.]\s?\d{2,4}|\d{1,2}[-.\s]+\p{L}{3,}\.?[-\s]+\d{4}/gu;
const ACCOUNT =
  /\b(?:konto(?:nummer|nr|bezeichnung|name)?|account(?: number| no| name)?|rekening(?:nummer)?|compte|cuenta|conto|iban|card|karte)\b/;
const CURRENCY = /^(?:account )?(?:currency|ccy|wahrung|devise|divisa|moneda|valuta|waluta|munt|通貨)\b/;
const BALANCE = /balance|saldo|solde|kontostand|残高/;
const OPENING =
  /opening|beginning|starting|start|initial|anfang|alter|vortrag|brought forward|previous|inicial|iniziale|begin/;
const AVAILABLE = /available|verfugbar|disponib|beschikbaar/;
const FROM = /^(?:von|from|du|desde|van|dal|start date|period start|od)\b/;
const TO = /^(?:bis|to|until|au|hasta|tot|al|end date|period end|do)\b/;

export interface StatedBalance {
  line: number;
  date: WrittenDate;
  kind: 'opening' | 'closing' | 'available';
  amount: WrittenAmount;
}

/** What the lines above the header say of the account. */
export interface Preamble {
  id: string | null;
  name: string | null;
  currency: string | null;
  balances: StatedBalance[];
  dates: WrittenDate[];
}

export function preambleOf(records: readonly CsvRecord[], today: CalendarDate): Preamble {
  const preamble: Preamble = { id: null, name: null, currency: null, balances: [], dates: [] };
  let from: WrittenDate | undefined;
  let to: WrittenDate | undefined;
  const undated: Omit<StatedBalance, 'date'>[] = [];
  for (const record of records) {
    const cells = parts(record);
    const [key = '', value = ''] = cells;
    const { name } = plainName(key);
    const dates = datesIn(cells, today);
    preamble.dates.push(...dates);
    if (FROM.test(name)) from ??= dates[0];
    if (TO.test(name)) to ??= dates[0];
    if (dates.length === 2) {
      from ??= dates[0];
      to ??= dates[1];
    }
    if (CURRENCY.test(name)) preamble.currency ??= currencyCode(value);
    const balance = balanceIn(record, today);
    if (balance) {
      preamble.currency ??= balance.amount.currency;
      if ('date' in balance) preamble.balances.push(balance);
      else undated.push(balance);
    } else if (ACCOUNT.test(name)) nameAccount(preamble, value);
    const iban = cells.map((cell) => IBAN.exec(cell)?.[0]).find((found) => found !== undefined);
    if (iban !== undefined) preamble.id ??= iban.replace(/\s/g, '');
  }
  for (const balance of undated) {
    const date = balance.kind === 'opening' ? from : to;
    if (date !== undefined) preamble.balances.push({ ...balance, date });
  }
  return preamble;
}

/** A stated balance in a line above or below the rows; without `date`: the line has no day of its own. */
export function balanceIn(record: CsvRecord, today: CalendarDate): StatedBalance | Omit<StatedBalance, 'date'> | null {
  const cells = parts(record);
  const { name } = plainName(cells[0] ?? '');
  if (!BALANCE.test(name)) return null;
  const isNoDate = (cell: string) => datesIn([cell], today).length === 0;
  const amount = cells
    .slice(1)
    .filter(isNoDate)
    .map(writtenAmount)
    .findLast((found) => found !== null);
  if (!amount) return null;
  const kind = OPENING.test(name) ? 'opening' : AVAILABLE.test(name) ? 'available' : 'closing';
  const [date] = datesIn(cells, today);
  return { line: record.line, kind, amount, ...(date && { date }) };
}

/** A stated balance in minor units, and its day. Its own signs decide where those of the rows do not fit. */
export function statedOf(
  { date, amount }: StatedBalance,
  { order, decimal, digits, today }: { order: DateOrder; decimal: DecimalSign; digits: number; today: CalendarDate },
): { day: CalendarDate; amountMinor: number } | null {
  const day = dayOf(date, order, today);
  const own = decimalSignOf([amount], digits);
  const minor = minorOf(amount, own === '.' || own === ',' ? own : decimal, digits);
  if (day === null || typeof minor === 'string') return null;
  return { day, amountMinor: amount.direction === 'out' ? -Math.abs(minor) : minor };
}

/** The cells that are filled; `Account: 123` in one cell is two. */
function parts({ cells }: CsvRecord): string[] {
  const filled = cells.map((cell) => cell.slice(0, MAX_CELL).trim()).filter((cell) => cell !== '');
  const [only = ''] = filled;
  const apart = /^([^:]{2,60}):\s*(\S.*)$/s.exec(only);
  return filled.length === 1 && apart ? [apart[1]!, apart[2]!] : filled;
}

function datesIn(cells: readonly string[], today: CalendarDate): WrittenDate[] {
  return cells.flatMap((cell) => {
    const within = (cell.match(DATE_WITHIN) ?? []).flatMap((text) => writtenDate(text, today) ?? []);
    if (within.length > 0) return within;
    // A number alone is an amount here, and no day number of Excel.
    const whole = /[^\d.,]/.test(cell) || cell.length === 8 ? writtenDate(cell, today) : null;
    return whole === null ? [] : [whole];
  });
}

function nameAccount(preamble: Preamble, value: string): void {
  const id = value.replace(/\s/g, '');
  if (/^[\dA-Zx*./-]+$/.test(id) && /\d{3}/.test(id)) preamble.id ??= id;
  else if (value !== '' && !IBAN.test(value)) preamble.name ??= value;
}
