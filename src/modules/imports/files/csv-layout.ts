import type { CalendarDate } from '../../../kit.js';
import { writtenAmount } from './amounts.js';
import { type CsvRecord, declaredSeparator, recordsOf, SEPARATORS } from './csv-records.js';
import { Sample } from './csv-sample.js';
import { type KnownWord, plainName, wordsOf } from './csv-words.js';
import { writtenDate } from './dates.js';
import { type FileChoices, type FileColumn, Problems } from './statement-file.js';

/** What tells the separator and the columns. */
const HEAD_LINES = 200;
const HEAD_CHARS = 262_144;
/** Below a header, the first rows may lack a date: what is pending has none at some banks. */
const ROWS_BELOW_HEADER = 5;
/** Of texts: a column with the kind of a row is taken where there is nothing better. */
const TYPES = 2;
const BOOKED_OR_NOT = /gebucht|vorgemerkt|pending|posted|booked|cleared/i;
const FROM = /sender|payer|zahler|zahlungspflichtig|auftraggeber|nadawca|ordenante|ordinante/;
const TO = /empfae?nger|recipient|payee|beneficiar|begunstigte|odbiorca|mottagare|mottaker|modtager/;
const EXCEL_DAY = /^\s*\d{5}(?:[.,]\d+)?\s*$/;

export type Columns = Partial<Record<FileColumn, number>>;

export interface CsvLayout {
  header: CsvRecord | null;
  /** How many records are above the rows, the header included. */
  above: number;
  columns: Columns;
  /** Other dates of a row, for rows without the first. */
  otherDates: number[];
  /** Columns with the other side of a row, or with both sides. */
  payees: { place: number; side: 'from' | 'to' | null }[];
  /** All columns that describe a row. */
  texts: number[];
  /** How many cells the widest of the first records has. */
  width: number;
  /** What the header says, such as "Amount (EUR)". */
  currency: string | null;
  /** Nothing in the file says which column holds the dates or the money: a person must. */
  isGuess: boolean;
}

/** What is remembered of a person's choices hangs on this: the separator and the header as text. */
export interface CsvHead {
  separator: string;
  layout: CsvLayout;
}

/** Reads the separator and the columns from the beginning of a text with plain line ends. */
export function headOf(text: string, choices: FileChoices, today: CalendarDate): CsvHead {
  const declared = declaredSeparator(text);
  const head = text.slice(0, HEAD_CHARS).split('\n', HEAD_LINES);
  if (declared !== null) head[0] = '';
  const tried = (declared === null ? SEPARATORS : [declared]).map((separator) => {
    const records = recordsOf(head.join('\n'), separator, new Problems());
    const layout = layoutOf(records, choices, today);
    return { separator, layout, score: scoreOf(records, layout, today) };
  });
  return tried.reduce((best, one) => (one.score > best.score ? one : best));
}

/** A known header counts more than any number of rows that look like rows. */
function scoreOf(records: readonly CsvRecord[], { header }: CsvLayout, today: CalendarDate): number {
  const known = header?.cells.filter((cell) => wordsOf(plainName(cell).name).length > 0).length ?? 0;
  const rows = records.filter((record) => isLikeARow(record, today));
  return (known > 1 ? 1_000 * known : 0) + rows.length;
}

/** The columns, given a file's first records. */
export function layoutOf(records: readonly CsvRecord[], choices: FileChoices, today: CalendarDate): CsvLayout {
  const place = headerPlace(records, choices, today);
  const header = place === null ? null : records[place]!;
  const rows = records.slice((place ?? -1) + 1);
  const sample = new Sample(rows, today);
  const names = (header?.cells ?? []).map(plainName);
  const found = columnsByName(
    names.map(({ name }) => name),
    sample,
  );
  const { date, amount, debit, credit, balance } = found.columns;
  const isGuess = date === undefined || [amount, debit, credit, balance].every((column) => column === undefined);
  if (isGuess) guess(found, sample);
  const chosen = choices.columns;
  if (chosen) choose(found, chosen);
  const currencies = new Set(names.flatMap(({ currency }) => currency ?? []));
  return {
    ...found,
    header,
    width: Math.max(0, ...records.map(({ cells }) => cells.length)),
    above: place === null ? 0 : place + 1,
    currency: currencies.size === 1 ? [...currencies][0]! : null,
    isGuess: isGuess && chosen === undefined,
  };
}

/** The first record with two known words and a date below; or, in a file without rows, the last one. */
function headerPlace(records: readonly CsvRecord[], { header }: FileChoices, today: CalendarDate): number | null {
  if (header !== undefined) return header && records.length > 0 ? 0 : null;
  let likely: number | null = null;
  for (const [place, { cells }] of records.entries()) {
    const words = cells.map((cell) => wordsOf(plainName(cell).name));
    const dates = words.flatMap((known, column) => (known.some((word) => word.column === 'date') ? [column] : []));
    if (dates.length === 0 || words.filter((known) => known.length > 0).length < 2) continue;
    const below = records.slice(place + 1, place + 1 + ROWS_BELOW_HEADER);
    if (below.length === 0) return place;
    if (below.some((row) => dates.some((date) => writtenDate(row.cells[date] ?? '', today) !== null))) return place;
    if (words.some((known) => known.some(({ column }) => column === 'amount' || column === 'balance')))
      likely ??= place;
  }
  return likely ?? placeOfUnknownHeader(records, today);
}

/** In a language that we do not know: as many texts as the first row has cells, right above it. */
function placeOfUnknownHeader(records: readonly CsvRecord[], today: CalendarDate): number | null {
  const firstRow = records.findIndex((record) => isLikeARow(record, today));
  const above = records[firstRow - 1]?.cells ?? [];
  const isHeader =
    above.length > 1 && above.length === records[firstRow]!.cells.length && !above.some((cell) => /\d/.test(cell));
  return isHeader ? firstRow - 1 : null;
}

function isLikeARow({ cells }: CsvRecord, today: CalendarDate): boolean {
  return cells.some((cell) => writtenDate(cell, today) !== null) && cells.some((cell) => writtenAmount(cell) !== null);
}

type Found = Pick<CsvLayout, 'columns' | 'otherDates' | 'payees' | 'texts'>;

/** What a column must hold beside its name. */
const FITS: [FileColumn, (sample: Sample, place: number, rank: number) => boolean][] = [
  ['currency', (sample, place) => sample.isOfCurrencies(place)],
  ['balance', (sample, place) => sample.hasAmounts(place)],
  ['fee', (sample, place) => sample.hasAmounts(place)],
  ['debit', (sample, place) => sample.hasAmounts(place)],
  ['credit', (sample, place) => sample.hasAmounts(place)],
  ['direction', (sample, place) => sample.isOfDirections(place, 'most')],
  ['status', (sample, place, rank) => rank === 0 || sample.isMostly(place, (cell) => BOOKED_OR_NOT.test(cell))],
  ['account', (sample, place, rank) => sample.isOfOwnAccount(place, rank === 0)],
  ['id', (sample, place, rank) => sample.isOfIds(place, rank === 0)],
];

function columnsByName(names: readonly string[], sample: Sample): Found {
  const words = names.map(wordsOf);
  /** The columns that may be one, the likeliest first. */
  const named = (column: FileColumn): { place: number; rank: number }[] => {
    const places = words.flatMap((known: KnownWord[], place) => {
      const word = known.find((one) => one.column === column);
      return word ? { place, rank: word.rank } : [];
    });
    return places.sort((one, other) => one.rank - other.rank || one.place - other.place);
  };
  const columns: Columns = {};
  const set = (column: FileColumn, place: number | undefined) => {
    if (place !== undefined) columns[column] = place;
  };
  for (const [column, fits] of FITS) {
    set(column, named(column).find(({ place, rank }) => fits(sample, place, rank))?.place);
  }
  const nameless = words.flatMap((known, place) => (known.length === 0 ? place : []));
  set('currency', columns.currency ?? nameless.find((place) => sample.isOfCurrencies(place)));
  const dates = named('date').filter(({ place }) => place !== columns.currency && sample.hasDates(place));
  set('date', dates[0]?.place);
  chooseMoney(columns, named, sample);

  const payees = named('payee').filter(({ place }) => sample.rows.length === 0 || sample.cells(place).length > 0);
  set('payee', payees[0]?.place);
  const texts = named('text').filter(({ place }) => place !== columns.id && !sample.isOfDirections(place, 'all'));
  const best = texts[0]?.rank;
  const taken = texts.filter(({ rank }) => rank === best && (rank < TYPES || payees.length === 0));
  const text =
    taken[0]?.place ?? (payees.length === 0 ? nameless.find((place) => sample.letters(place) > 0) : undefined);
  set('text', text);
  // "date,value": what a house or a pension was worth, and no row.
  const isValue = columns.amount !== undefined && /^(?:value|wert|worth|valor)$/.test(names[columns.amount]!);
  if (isValue && columns.balance === undefined && columns.text === undefined && columns.payee === undefined) {
    columns.balance = columns.amount;
    delete columns.amount;
  }
  return {
    columns,
    otherDates: dates.slice(1).map(({ place }) => place),
    payees: payees.map(({ place }) => ({ place, side: sideOf(names[place]!) })),
    texts: taken.length > 0 ? taken.map(({ place }) => place) : text === undefined ? [] : [text],
  };
}

/** Debit and credit, or an amount with or without a column that says which of them it is. */
function chooseMoney(
  columns: Columns,
  named: (column: FileColumn) => { place: number; rank: number }[],
  sample: Sample,
): void {
  const amounts = named('amount').filter(({ place }) => sample.hasAmounts(place));
  const amount = amounts.find(({ place }) => sample.cells(place).length > 0) ?? amounts[0];
  const isApart = columns.debit !== undefined && columns.credit !== undefined;
  if (isApart || amount === undefined) {
    delete columns.direction;
    return;
  }
  columns.amount = amount.place;
  delete columns.debit;
  delete columns.credit;
  const types = named('text').filter(({ place }) => sample.isOfDirections(place, 'all'));
  if (types.length > 0) columns.direction ??= types[0]!.place;
}

function sideOf(name: string): 'from' | 'to' | null {
  const isFrom = FROM.test(name);
  return isFrom === TO.test(name) ? null : isFrom ? 'from' : 'to';
}

/** What the cells look like: a date, an amount with a sign or decimals, and the longest text. */
function guess(found: Found, sample: Sample): void {
  const width = Math.max(0, ...sample.rows.map(({ cells }) => cells.length));
  const places = Array.from({ length: width }, (_, place) => place);
  const { columns } = found;
  columns.date ??= places.find((place) => {
    return sample.isOfDates(place) && !sample.cells(place).every((cell) => EXCEL_DAY.test(cell));
  });
  const amounts = places.filter((place) => {
    return place !== columns.date && sample.cells(place).length > 0 && sample.isOfAmounts(place);
  });
  const withDecimals = amounts.filter((place) => sample.cells(place).some((cell) => /[-.,(]/.test(cell)));
  if (columns.balance === undefined) columns.amount ??= withDecimals[0] ?? amounts[0];
  const others = places.filter((place) => !Object.values(columns).includes(place) && sample.letters(place) > 0);
  columns.text ??= others.sort((one, other) => sample.letters(other) - sample.letters(one))[0];
  if (columns.text !== undefined && found.texts.length === 0) found.texts = [columns.text];
}

/** A person's columns stand; an amount makes room for debit and credit, and they for it. */
function choose(found: Found, chosen: Columns): void {
  const { columns } = found;
  if (chosen.amount !== undefined) for (const column of ['debit', 'credit'] as const) delete columns[column];
  if ((chosen.debit ?? chosen.credit) !== undefined)
    for (const column of ['amount', 'direction'] as const) delete columns[column];
  Object.assign(columns, chosen);
  if (chosen.text !== undefined) found.texts = [chosen.text];
  if (chosen.payee !== undefined) found.payees = [{ place: chosen.payee, side: null }];
  found.otherDates = found.otherDates.filter((place) => place !== columns.date);
}

/** How many columns a row may fill; `Infinity`: most rows have more than the header, so it is the header that is short. */
export function widthOf({ header }: CsvLayout, rows: readonly CsvRecord[]): number {
  if (!header) return Infinity;
  const width = header.cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const wider = rows.filter((record) => isWider(record, width)).length;
  return 2 * wider > rows.length ? Infinity : width;
}

export function isWider({ cells }: CsvRecord, width: number): boolean {
  return cells.length > width && cells.slice(width).some((cell) => cell.trim() !== '');
}
