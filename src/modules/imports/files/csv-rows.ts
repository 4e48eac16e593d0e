import { type CalendarDate, currencyCode, minorDigits } from '../../../kit.js';
import { decimalSignOf, directionOf, minorOf, type WrittenAmount, writtenAmount } from './amounts.js';
import type { CsvLayout } from './csv-layout.js';
import type { CsvRecord } from './csv-records.js';
import { dateOrderOf, dayOf, questionOfOrder, type WrittenDate, writtenDate } from './dates.js';
import type { DateOrder, DecimalSign, FileQuestion, ReadOptions } from './statement-file.js';

const MONEY = ['amount', 'debit', 'credit', 'fee', 'balance'] as const;
export type MoneyColumn = (typeof MONEY)[number];

/** A record below the header, with what its cells look like. */
export interface WrittenRow {
  record: CsvRecord;
  date: WrittenDate | null;
  money: Partial<Record<MoneyColumn, WrittenAmount | null>>;
}

/** How the whole file writes dates and amounts. */
export interface Notation {
  order: DateOrder;
  decimals: Record<MoneyColumn, DecimalSign>;
  /** Debits are listed with their minus. */
  debitIsSigned: boolean;
  /** Of rows that name none; `null`: the file says nothing. */
  currency: string | null;
  /** Rows have a currency of their own beside their amount, as the file has several. */
  hasSeveral: boolean;
}

export function cellOf({ cells }: CsvRecord, place: number | undefined): string {
  return place === undefined ? '' : (cells[place]?.trim() ?? '');
}

export function writtenRow(record: CsvRecord, { columns, otherDates }: CsvLayout, today: CalendarDate): WrittenRow {
  const row: WrittenRow = { record, date: null, money: {} };
  for (const place of [columns.date, ...otherDates]) {
    const cell = cellOf(record, place);
    if (cell === '') continue;
    row.date = writtenDate(cell, today);
    break;
  }
  for (const column of MONEY) {
    const cell = cellOf(record, columns[column]);
    if (cell !== '') row.money[column] = writtenAmount(cell);
  }
  return row;
}

/** What only the whole file tells, and what it leaves open. */
export function notationOf(
  rows: readonly WrittenRow[],
  layout: CsvLayout,
  otherDates: readonly WrittenDate[],
  preambleCurrency: string | null,
  { choices, currency, today }: ReadOptions,
): { notation: Notation; asks: FileQuestion[] } {
  const asks: FileQuestion[] = [];
  const { columns } = layout;
  const first = rows.find(({ record }) => currencyCode(cellOf(record, columns.currency)) !== null);
  const beside = new Set(rows.flatMap(({ money }) => MONEY.flatMap((column) => money[column]?.currency ?? [])));
  const ofFile = layout.currency ?? (beside.size === 1 ? [...beside][0]! : preambleCurrency);
  const typical = (first && currencyCode(cellOf(first.record, columns.currency))) ?? ofFile ?? currency;

  const dates = rows.flatMap(({ date }) => date ?? []);
  const order = choices.date_order ?? dateOrderOf(dates, today) ?? orderBeside(rows, layout, otherDates, today);
  if (order === null) {
    const texts = rows.map(({ record }) => cellOf(record, columns.date));
    asks.push(questionOfOrder(texts, today));
  }

  const { decimals, isOpen } = decimalsOf(rows, minorDigits(typical) ?? 2, choices.decimal);
  if (isOpen) {
    const example = rows.map(({ record }) => cellOf(record, columns.amount ?? columns.debit ?? columns.balance));
    const text = example.find((cell) => /\d[.,]\d{3}$/.test(cell)) ?? example[0] ?? '';
    asks.push({
      choice: 'decimal',
      message: `Is "${text}" more than a thousand, or a small amount with three decimals?`,
    });
  }
  const debits = rows.flatMap(({ money }) => money.debit ?? []).filter(({ figures }) => /[1-9]/.test(figures));
  const notation: Notation = {
    order: order ?? 'dmy',
    decimals,
    debitIsSigned: 2 * debits.filter(({ sign }) => sign === '-').length > debits.length,
    currency: ofFile,
    hasSeveral: layout.currency === null && beside.size > 1,
  };
  return { notation, asks };
}

/** What the other dates of the file say: those of its other columns, and those above the header. */
function orderBeside(
  rows: readonly WrittenRow[],
  { otherDates }: CsvLayout,
  above: readonly WrittenDate[],
  today: CalendarDate,
): DateOrder | null {
  const beside = rows.flatMap(({ record }) =>
    otherDates.flatMap((place) => writtenDate(cellOf(record, place), today) ?? []),
  );
  const open = [...beside, ...above].filter((date) => !('day' in date));
  return open.length === 0 ? null : dateOrderOf(open, today);
}

/** Each column decides for itself; one that cannot follows the others. */
function decimalsOf(rows: readonly WrittenRow[], digits: number, chosen: DecimalSign | undefined) {
  const decided = new Map<MoneyColumn, DecimalSign | 'open' | null>();
  for (const column of MONEY) {
    decided.set(
      column,
      chosen ??
        decimalSignOf(
          rows.map(({ money }) => money[column] ?? NO_AMOUNT),
          digits,
        ),
    );
  }
  const clear = new Set([...decided.values()].filter((sign) => sign === '.' || sign === ','));
  const shared: DecimalSign = clear.has(',') && !clear.has('.') ? ',' : '.';
  const decimals = {} as Record<MoneyColumn, DecimalSign>;
  for (const [column, sign] of decided) decimals[column] = sign === '.' || sign === ',' ? sign : shared;
  return { decimals, isOpen: clear.size !== 1 && [...decided.values()].includes('open') };
}

const NO_AMOUNT: WrittenAmount = { figures: '', sign: null, direction: null, currency: null };

/** What a row says in money; a text: why it says nothing that can be read. */
export interface RowMoney {
  currency: string | null;
  /** `null`: the row has none. */
  amount: number | null;
  fee: number;
  balance: number | null;
  /** A word and a sign that contradict each other, and the like: the row counts all the same. */
  doubt: string | null;
}

export function moneyOf(
  { record, money }: WrittenRow,
  layout: CsvLayout,
  notation: Notation,
  options: ReadOptions,
): RowMoney | string {
  const { columns } = layout;
  const ownCurrency = currencyCode(cellOf(record, columns.currency));
  const beside = notation.hasSeveral ? (money.amount?.currency ?? null) : null;
  const currency = ownCurrency ?? beside ?? notation.currency;
  const digits = minorDigits(currency ?? options.currency) ?? 2;
  let fault: string | null = null;
  const read = (column: MoneyColumn): number | null => {
    const written = money[column];
    if (written === undefined) return null;
    const minor = written && minorOf(written, notation.decimals[column], digits);
    if (typeof minor === 'number') return minor;
    fault ??= `The ${NAMES[column]} "${cellOf(record, columns[column])}" ${minor ?? 'cannot be read'}.`;
    return null;
  };

  const result: RowMoney = { currency, amount: null, fee: 0, balance: null, doubt: null };
  const debit = read('debit');
  const credit = read('credit');
  if (columns.amount !== undefined) result.amount = read('amount');
  else if (debit !== null || credit !== null) {
    if (debit && credit) return 'The line has both a debit and a credit.';
    result.amount = (debit === null ? 0 : notation.debitIsSigned ? debit : -debit) + (credit ?? 0);
  }
  if (fault !== null) return fault;
  const word = cellOf(record, columns.direction);
  const direction = word === '' ? (money.amount?.direction ?? null) : directionOf(word);
  if (word !== '' && direction === null) return `"${word}" does not say whether money goes in or out.`;
  if (direction !== null && result.amount !== null) {
    if (money.amount?.sign === (direction === 'in' ? '-' : '+') && result.amount !== 0) {
      result.doubt = `The sign of "${cellOf(record, columns.amount)}" contradicts "${word || direction}"; the word was taken.`;
    }
    result.amount = withSign(result.amount, direction);
  }
  result.fee = 0 - Math.abs(read('fee') ?? 0);
  result.balance = read('balance');
  if (result.balance !== null && money.balance?.direction)
    result.balance = withSign(result.balance, money.balance.direction);
  result.doubt ??= fault;

  return result;
}

const NAMES: Record<MoneyColumn, string> = {
  amount: 'amount',
  debit: 'debit',
  credit: 'credit',
  fee: 'fee',
  balance: 'balance',
};

function withSign(minor: number, direction: 'in' | 'out'): number {
  return direction === 'in' || minor === 0 ? Math.abs(minor) : -Math.abs(minor);
}

/** The day of a row; a text: why it has none. */
export function dayIn(
  { record, date }: WrittenRow,
  layout: CsvLayout,
  { order }: Notation,
  today: CalendarDate,
): { day: CalendarDate } | string {
  const day = date && dayOf(date, order, today);
  if (day !== null) return { day };
  const text = [layout.columns.date, ...layout.otherDates]
    .map((place) => cellOf(record, place))
    .find((cell) => cell !== '');
  if (date === null) return `The date "${text ?? ''}" cannot be read.`;
  return `The date "${text ?? ''}" does not fit the order of the other dates, ${ORDERS[order]}.`;
}

const ORDERS: Record<DateOrder, string> = {
  dmy: 'day before month',
  mdy: 'month before day',
  ymd: 'year before month and day',
};

const PENDING =
  /pending|vorgemerkt|vorgemerkte|author?i[sz]ed|in process|processing|en attente|pendiente|in bearbeitung|reserv|unbooked|not posted|pendente|in sospeso|oczekuj|\bhold\b|未確定/;
const NO_ROW =
  /revert|declin|fail|cancel|reject|abgelehnt|storniert|refused|refuse|rechaz|rifiutat|annul|expired|abgebrochen|\bvoid|denied|blocked|deleted|geweigerd|fehlgeschlagen|zuruckgewiesen/;

/** What a status says; banks have hundreds of words for booked. */
export function statusOf(status: string): 'booked' | 'pending' | 'no row' {
  const word = status.toLowerCase();
  if (NO_ROW.test(word)) return 'no row';
  return PENDING.test(word) ? 'pending' : 'booked';
}
