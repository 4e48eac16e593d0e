import { type CalendarDate, currencyCode, isCalendarDate } from '../../../kit.js';
import { decimalSignOf, minorOf, type WrittenAmount, writtenAmount } from './amounts.js';
import { dayProblem } from './dates.js';
import { type OfxAccount, type OfxRecord, type OfxStatement, readRecords } from './ofx-records.js';
import {
  cleanText,
  type DecimalSign,
  type FileBalance,
  type FileQuestion,
  type FileRow,
  Problems,
  type ReadOptions,
  type StatementFile,
  UnreadableFileError,
} from './statement-file.js';
import { accountsOf, currencyOf, digitsOf, idOf, moneyText, type Statement } from './statements.js';

/** Whether money leaves with an action of an investment account; of others, `TOTAL` has the sign of its own. */
const TRADES: [RegExp, 1 | -1][] = [
  [/^BUY/, -1],
  [/^SELL/, 1],
];
const WITHOUT_MONEY = new Set(['REINVEST', 'TRANSFER', 'JRNLSEC', 'JRNLFUND', 'SPLIT', 'CLOSUREOPT']);
const PLACEHOLDER_TIMES = ['', '000000', '120000'];

interface Context {
  options: ReadOptions;
  problems: Problems;
  notes: Problems;
  asks: FileQuestion[];
  /** The day on which the bank made the file, where it says so. */
  made: CalendarDate | null;
  /** Names of securities by their id. */
  securities: ReadonlyMap<string, string>;
}

/** Reads OFX and QFX, versions 1 and 2. */
export function readOfx(text: string, options: ReadOptions): StatementFile {
  const problems = new Problems();
  const { statements, made, securities, rejection } = readRecords(text, problems);
  if (statements.length === 0) {
    const reason = rejection === null ? '' : ` The bank says: ${cleanText(rejection)}`;
    throw new UnreadableFileError(`This is not a file of this format: it has no statement of OFX.${reason}`);
  }
  const context: Context = { options, problems, notes: new Problems(), asks: [], made: dayIn(made), securities };
  const accounts = accountsOf(
    statements.map((statement) => toStatement(statement, context)),
    problems,
  );
  return {
    format: 'ofx',
    accounts,
    problems: problems.listed,
    problemCount: problems.count,
    asks: context.asks,
    notes: context.notes.listed,
  };
}

function toStatement(found: OfxStatement, context: Context): Statement {
  const { options, problems } = context;
  const currency = currencyOf(found.currency?.text, found.currency?.line ?? found.line, options, problems);
  const read = amountReader(found, digitsOf(currency));
  const rows: FileRow[] = [];
  const balances: FileBalance[] = [];
  for (const record of found.records) {
    if (record.name.endsWith('BAL')) balances.push(...balancesIn(record, found, read, currency, context));
    else {
      const row = rowOf(record, read, currency, context);
      if (row) rows.push(row);
    }
  }
  if (options.choices.balance_unit === undefined) context.asks.push(...unitQuestion(balances, rows, currency, found));
  const hint = hintOf(found.account, currencyCode(found.currency?.text));
  return { hint, currency, rows, balances: ledgerEnds(balances, rows, context), opening: null, closing: null };
}

function hintOf({ id, kind }: OfxAccount, currency: string | null): Statement['hint'] {
  return { ...(id && { id: cleanText(id) }), ...(kind && { kind }), ...(currency && { currency }) };
}

type AmountReader = (text: string | undefined) => number | string;

/**
 * The specification has a comma or a point before the decimals and no groups; banks write groups. `1.650` alone may be
 * either: it is a group where the other amounts of the statement have the other sign before their decimals.
 */
function amountReader({ records }: OfxStatement, digits: number): AmountReader {
  const all = records
    .flatMap(({ values }) => [values.get('TRNAMT'), values.get('TOTAL'), values.get('BALAMT')])
    .map((text) => (text === undefined ? null : writtenAmount(text)))
    .filter((amount) => amount !== null);
  const usual = decimalSignOf(all, digits) ?? '.';
  const signOf = (amount: WrittenAmount): DecimalSign => {
    const own = decimalSignOf([amount], digits) ?? '.';
    if (own !== 'open') return own;
    if (usual !== 'open') return usual;
    return amount.figures.includes(',') ? ',' : '.';
  };
  return (text) => {
    const amount = text === undefined ? null : writtenAmount(text);
    if (amount === null) return text === undefined ? 'is missing' : `"${cleanText(text).slice(0, 40)}" is no amount`;
    const minor = minorOf(amount, signOf(amount), digits);
    return typeof minor === 'number' ? minor : `"${cleanText(text!)}" ${minor}`;
  };
}

function rowOf(record: OfxRecord, read: AmountReader, currency: string, context: Context): FileRow | null {
  const { name, line, values } = record;
  const { options, problems, notes } = context;
  if (WITHOUT_MONEY.has(name)) {
    notes.add(line, `${name} moves no money of the account. It is left out.`);
    return null;
  }
  const leftOut = (reason: string) => {
    problems.add(line, `${reason} The row is left out.`);
    return null;
  };
  const written = ['DTPOSTED', 'DTTRAN', 'DTTRADE', 'DTUSER'].map((key) => dayIn(values.get(key)));
  const day = written.find((found) => found !== null);
  if (!day) return leftOut('The row has no date that can be read.');
  const wrongDay = dayProblem(day, options.today);
  if (wrongDay !== null) return leftOut(wrongDay);
  const isTrade = !name.startsWith('STMTTRN');
  const minor = read(values.get(isTrade ? 'TOTAL' : 'TRNAMT'));
  if (typeof minor === 'string') return leftOut(`The amount of the row ${minor}.`);
  const other = values.get('CURRENCY/CURSYM')?.trim().toUpperCase();
  if (other !== undefined && other !== currency)
    return leftOut(`The row is in ${cleanText(other)} and not in ${currency}.`);

  const sign = TRADES.find(([action]) => action.test(name))?.[1];
  const amountMinor = sign === undefined || minor === 0 ? minor : sign * Math.abs(minor);
  const { description, payee } = textsOf(record, isTrade, context);
  return {
    line,
    day,
    amountMinor: options.choices.sign === 'flip' && amountMinor !== 0 ? -amountMinor : amountMinor,
    description,
    payee,
    fileId: idOf(values.get('FITID')),
    pending: name === 'STMTTRNP',
  };
}

function textsOf({ name, values }: OfxRecord, isTrade: boolean, { securities }: Context) {
  const text = (key: string) => cleanText(values.get(key) ?? '');
  const payee = text('PAYEE/NAME') || text('NAME') || text('EXTDNAME') || null;
  const memo = text('MEMO');
  if (isTrade) {
    const security = cleanText(securities.get(values.get('SECID/UNIQUEID') ?? '') ?? '');
    return { description: [memo || name.toLowerCase(), security].filter((part) => part !== '').join(' '), payee };
  }
  const isInMemo = payee !== null && memo.startsWith(payee);
  return { description: isInMemo || payee === null ? memo : `${payee} ${memo}`.trim(), payee };
}

function balancesIn(
  record: OfxRecord,
  found: OfxStatement,
  read: AmountReader,
  currency: string,
  context: Context,
): FileBalance[] {
  const { name, line, values } = record;
  const amount = values.get(name === 'INVBAL' ? 'AVAILCASH' : 'BALAMT');
  const asOf = name === 'INVBAL' ? found.asOf : values.get('DTASOF');
  // Some banks write the element and nothing in it.
  if (amount === undefined) return [];
  const minor = read(amount);
  const day = dayIn(asOf);
  if (typeof minor === 'string' || day === null) {
    const reason = typeof minor === 'string' ? `The amount of the balance ${minor}.` : 'The balance has no date.';
    context.problems.add(line, `${reason} It is left out.`);
    return [];
  }
  const wrongDay = dayProblem(day, context.options.today);
  if (wrongDay !== null) {
    context.problems.add(line, `${wrongDay} The balance is left out.`);
    return [];
  }
  const kinds = { INVBAL: 'cash', AVAILBAL: 'available' } as const;
  const kind = name === 'INVBAL' || name === 'AVAILBAL' ? kinds[name] : ledgerKind(asOf!, day, context);
  const isInMinorUnit = context.options.choices.balance_unit === 'minor' && isWhole(amount);
  return [{ line, day, kind, amountMinor: isInMinorUnit ? minor / 10 ** digitsOf(currency) : minor }];
}

/** The ledger balance is of the moment of the download, and ends a day only if the bank made the file later. */
function ledgerKind(asOf: string, day: CalendarDate, { made, options }: Context): FileBalance['kind'] {
  const time = /^\s*\d{8}(\d{6})?/.exec(asOf)?.[1] ?? '';
  if (time >= '235900') return 'closing';
  return PLACEHOLDER_TIMES.includes(time) && day < (made ?? options.today) ? 'closing' : 'interim';
}

/** The balance of a download that is later than the last row ends its day; others of its moment may lack rows that followed. */
function ledgerEnds(balances: readonly FileBalance[], rows: readonly FileRow[], { options, notes }: Context) {
  return balances.map((balance): FileBalance => {
    const { kind, day, line } = balance;
    if (kind !== 'interim') return balance;
    if (day <= options.today && rows.every((row) => row.pending || row.day < day))
      return { ...balance, kind: 'closing' };
    notes.add(line, `The balance of ${day} is not that of the end of the day. It is left out.`);
    return balance;
  });
}

/** Some banks write balances in the minor unit, without a decimal sign. Only the rows can tell, and only sometimes. */
function unitQuestion(
  balances: readonly FileBalance[],
  rows: readonly FileRow[],
  currency: string,
  found: OfxStatement,
) {
  const ledger = found.records.find(({ name, values }) => name === 'LEDGERBAL' && isWhole(values.get('BALAMT')));
  const written = balances.find(({ line }) => line === ledger?.line)?.amountMinor ?? 0;
  const sum = rows.reduce((total, { amountMinor, pending }) => total + (pending ? 0 : amountMinor), 0);
  const factor = 10 ** digitsOf(currency);
  if (factor === 1 || sum === 0 || written !== sum * factor) return [];
  const message =
    `The balance has no decimal sign. It is ${moneyText(written, currency)}, or ${moneyText(sum, currency)}, ` +
    'which is what the rows add up to.';
  return [{ choice: 'balance_unit' as const, message }];
}

function isWhole(text: string | undefined): boolean {
  return /^\s*[-+]?\d+\s*$/.test(text ?? '');
}

/** The day as written: times and zones move no day. */
function dayIn(text: string | null | undefined): CalendarDate | null {
  const parts = /^\s*(\d{4})-?(\d\d)-?(\d\d)/.exec(text ?? '');
  const day = parts === null ? '' : parts.slice(1, 4).join('-');
  return isCalendarDate(day) ? day : null;
}
