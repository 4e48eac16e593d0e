import { type CalendarDate, currencyCode } from '../../../kit.js';
import { directionOf, writtenAmount } from './amounts.js';
import { type CsvRecord, declaredSeparator, recordsOf, SEPARATORS } from './csv-records.js';
import { type KnownWord, plainName, wordsOf } from './csv-words.js';
import { writtenDate } from './dates.js';
import { type FileChoices, type FileColumn, Problems } from './statement-file.js';

/** What tells the separator and the columns. */
const HEAD_LINES = 200;
const HEAD_CHARS = 262_144;
/** Below a header, the first rows may lack a date: what is pending has none at some banks. */
const ROWS_BELOW_HEADER = 5;
const EXCEL_DAY = /^\s*\d{5}(?:[.,]\d+)?\s*$/;
const PLACEHOLDERS = /^(?:nonref|notprovided|not provided|n\/?a|none|0+|-+)$/i;

export type Columns = Partial<Record<FileColumn, number>>;

export interface CsvLayout {
  header: CsvRecord | null;
  /** How many records are above the rows, the header included. */
  above: number;
  columns: Columns;
  /** Other dates of a row, for rows without the first. */
  otherDates: number[];
  /** All columns that describe a row. */
  texts: number[];
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
  const rows = records.filter(({ cells }) => {
    return (
      cells.some((cell) => writtenDate(cell, today) !== null) && cells.some((cell) => writtenAmount(cell) !== null)
    );
  });
  return (known > 1 ? 1_000 * known : 0) + rows.length;
}

/** The columns, given a file's first records. */
export function layoutOf(records: readonly CsvRecord[], choices: FileChoices, today: CalendarDate): CsvLayout {
  const place = headerPlace(records, choices, today);
  const header = place === null ? null : records[place]!;
  const rows = records.slice((place ?? -1) + 1);
  const sample = new Sample(rows, today);
  const names = (header?.cells ?? []).map(plainName);
  const found = header ? columnsByName(names, sample) : { columns: {}, otherDates: [], texts: [] };
  const { date, amount, debit, credit, balance } = found.columns;
  const isGuess = date === undefined || [amount, debit, credit, balance].every((column) => column === undefined);
  if (isGuess) guess(found, sample);
  const chosen = choices.columns;
  if (chosen) choose(found, chosen);
  const currencies = new Set(names.flatMap(({ currency }) => currency ?? []));
  return {
    ...found,
    header,
    above: place === null ? 0 : place + 1,
    currency: currencies.size === 1 ? [...currencies][0]! : null,
    isGuess: isGuess && chosen === undefined,
  };
}

/** The first record with two known words and a date below; or, in a file without rows, the last one. */
function headerPlace(records: readonly CsvRecord[], { header }: FileChoices, today: CalendarDate): number | null {
  if (header !== undefined) return header && records.length > 0 ? 0 : null;
  for (const [place, { cells }] of records.entries()) {
    const words = cells.map((cell) => wordsOf(plainName(cell).name));
    const dates = words.flatMap((known, column) => (known.some((word) => word.column === 'date') ? [column] : []));
    if (dates.length === 0 || words.filter((known) => known.length > 0).length < 2) continue;
    const below = records.slice(place + 1, place + 1 + ROWS_BELOW_HEADER);
    if (below.length === 0) return place;
    if (below.some((row) => dates.some((date) => writtenDate(row.cells[date] ?? '', today) !== null))) return place;
  }
  return null;
}

type Found = Pick<CsvLayout, 'columns' | 'otherDates' | 'texts'>;

/** What the first rows have in a column. */
class Sample {
  constructor(
    readonly rows: readonly CsvRecord[],
    readonly today: CalendarDate,
  ) {}

  cells(column: number): string[] {
    return this.rows.flatMap(({ cells }) => cells[column]?.trim() || []);
  }

  /** Whether nearly all cells that are filled are of a kind; a footer is among them. */
  isMostly(column: number, isOfKind: (cell: string) => boolean): boolean {
    const cells = this.cells(column);
    const fitting = cells.filter(isOfKind).length;
    return cells.length === 0 ? this.rows.length === 0 : fitting > 0 && 2 * fitting > cells.length;
  }

  isOfAmounts(column: number): boolean {
    return this.isMostly(column, (cell) => writtenAmount(cell) !== null);
  }

  isOfDates(column: number): boolean {
    return this.isMostly(column, (cell) => writtenDate(cell, this.today) !== null);
  }

  /** Enough for a column that has the name of one: what cannot be read in it is a problem of the row. */
  hasDates(column: number): boolean {
    return this.rows.length === 0 || this.cells(column).some((cell) => writtenDate(cell, this.today) !== null);
  }

  hasAmounts(column: number): boolean {
    const cells = this.cells(column);
    return cells.length === 0 || cells.some((cell) => writtenAmount(cell) !== null);
  }

  isOfDirections(column: number): boolean {
    const cells = this.cells(column);
    return cells.length > 0 && cells.every((cell) => directionOf(cell) !== null);
  }

  /** The account of a row says the same in many rows; that of the other side does not. */
  isOfOwnAccount(column: number, isClear: boolean): boolean {
    const cells = this.cells(column);
    const different = new Set(cells).size;
    return cells.length > 0 && (isClear ? different <= 2 || 2 * different <= cells.length : different === 1);
  }

  /** An id says no more than once the same, unless the whole row stands there twice. */
  isOfIds(column: number, isClear: boolean): boolean {
    const rows = new Map<string, string>();
    for (const { cells } of this.rows) {
      const id = cells[column]?.trim() ?? '';
      if (id === '' || PLACEHOLDERS.test(id)) continue;
      if (!isClear && (id.length < 4 || /\s/.test(id) || !/\d/.test(id))) return false;
      const row = cells.join('\n');
      if ((rows.get(id) ?? row) !== row) return false;
      rows.set(id, row);
    }
    return rows.size > 0 && (isClear || 2 * rows.size > this.rows.length);
  }
}

function columnsByName(names: readonly { name: string }[], sample: Sample): Found {
  const words = names.map(({ name }) => wordsOf(name));
  /** The columns that may be one, the likeliest first. */
  const named = (column: FileColumn): { place: number; rank: number }[] => {
    const places = words.flatMap((known: KnownWord[], place) => {
      const word = known.find((one) => one.column === column);
      return word ? { place, rank: word.rank } : [];
    });
    return places.sort((one, other) => one.rank - other.rank || one.place - other.place);
  };
  const first = (column: FileColumn, fits: (place: number, rank: number) => boolean): number | undefined =>
    named(column).find(({ place, rank }) => fits(place, rank))?.place;
  const hasAmounts = (place: number) => sample.hasAmounts(place);

  const columns: Columns = {};
  const set = (column: FileColumn, place: number | undefined) => {
    if (place !== undefined) columns[column] = place;
  };
  set(
    'currency',
    first('currency', (place) => sample.isMostly(place, (cell) => currencyCode(cell) !== null)),
  );
  const dates = named('date').filter(({ place }) => place !== columns.currency && sample.hasDates(place));
  set('date', dates[0]?.place);
  set('balance', first('balance', hasAmounts));
  set('fee', first('fee', hasAmounts));
  set('debit', first('debit', hasAmounts));
  set('credit', first('credit', hasAmounts));
  if (columns.debit === undefined || columns.credit === undefined) {
    const amounts = named('amount').filter(({ place }) => hasAmounts(place));
    const filled = amounts.find(({ place }) => sample.rows.length === 0 || sample.cells(place).length > 0);
    set('amount', (filled ?? amounts[0])?.place);
    if (columns.amount !== undefined) {
      delete columns.debit;
      delete columns.credit;
      const types = named('text').filter(({ rank }) => rank === 2);
      set('direction', [...named('direction'), ...types].find(({ place }) => sample.isOfDirections(place))?.place);
    }
  }
  set(
    'status',
    first('status', () => true),
  );
  set(
    'account',
    first('account', (place, rank) => sample.isOfOwnAccount(place, rank === 0 || names[place]!.name === 'account')),
  );
  set(
    'payee',
    first('payee', () => true),
  );
  set(
    'id',
    first('id', (place, rank) => sample.isOfIds(place, rank === 0)),
  );

  const texts = named('text').filter(({ place }) => place !== columns.id && place !== columns.direction);
  const best = texts[0]?.rank;
  const taken = texts.filter(({ rank }) => rank === best && (rank < 2 || columns.payee === undefined));
  set('text', taken[0]?.place);
  // "date,value": what a house or a pension was worth, and no row.
  const isValue = columns.amount !== undefined && /^(?:value|wert|worth|valor)$/.test(names[columns.amount]!.name);
  if (isValue && columns.balance === undefined && columns.text === undefined && columns.payee === undefined) {
    columns.balance = columns.amount;
    delete columns.amount;
  }
  return { columns, otherDates: dates.slice(1).map(({ place }) => place), texts: taken.map(({ place }) => place) };
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
  const letters = (place: number) =>
    sample
      .cells(place)
      .join('')
      .replace(/[^\p{L}]/gu, '').length;
  const others = places.filter((place) => !Object.values(columns).includes(place) && letters(place) > 0);
  columns.text ??= others.sort((one, other) => letters(other) - letters(one))[0];
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
  found.otherDates = found.otherDates.filter((place) => place !== columns.date);
}

/** The file's own id of a row; `null`: the cell has none, or what banks write in place of one. */
export function idOf(cell: string): string | null {
  const id = cell.trim();
  return id === '' || PLACEHOLDERS.test(id) ? null : id;
}
