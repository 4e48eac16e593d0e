import { type CalendarDate, currencyCode, isCalendarDate } from '../../../kit.js';
import { find, findAll, readStatements, textAt, type XmlElement } from './camt-elements.js';
import { dayProblem } from './dates.js';
import {
  cleanText,
  type FileBalance,
  type FileRow,
  Problems,
  type ReadOptions,
  type StatementFile,
  UnreadableFileError,
} from './statement-file.js';
import {
  accountsOf,
  currencyOf,
  differenceOf,
  idOf,
  plainMinor,
  refuseMoreThanRows,
  type Statement,
} from './statements.js';

/** What a statement has, in the words of the file: its currency may show only at its end. */
interface Draft {
  line: number;
  account: XmlElement | null;
  balances: XmlElement[];
  entries: Entry[];
}

/** What is kept of an entry, which may have thousands of details. */
interface Entry {
  line: number;
  amount: XmlElement | undefined;
  /** `CRDT` or `DBIT`. */
  direction: string;
  isReversal: boolean;
  status: string;
  day: string;
  description: string;
  payee: string | null;
  fileId: string | null;
}

interface ReadStatement extends Statement {
  /** Rows that take back others; a subset of the rows. */
  reversals: Set<FileRow>;
}

const BALANCE_KINDS: Record<string, FileBalance['kind']> = {
  OPBD: 'opening',
  PRCD: 'opening',
  CLBD: 'closing',
  ITBD: 'interim',
  CLAV: 'available',
  ITAV: 'available',
};
const ACCOUNT_KINDS: Record<string, string> = { CACC: 'checking', SVGS: 'savings', LOAN: 'loan', CARD: 'credit_card' };
/** Entries that are no bookings, and never were. */
const ANNOUNCED: Record<string, string> = { INFO: 'information only', FUTR: 'announced for the future' };

/** Reads CAMT.053, and the reports of a day in CAMT.052, of any version. */
export function readCamt(text: string, options: ReadOptions): StatementFile {
  const problems = new Problems();
  const notes = new Problems();
  const drafts: Draft[] = [];
  let rows = 0;
  readStatements(text, {
    begin: (line) => drafts.push({ line, account: null, balances: [], entries: [] }),
    element: (element) => {
      const draft = drafts.at(-1)!;
      refuseMoreThanRows(++rows);
      if (element.name === 'Acct') draft.account ??= element;
      else if (element.name === 'Bal') draft.balances.push(element);
      else if (element.name === 'Ntry') {
        draft.entries.push(entryOf(element));
      }
    },
  });
  if (drafts.length === 0) {
    const isNotice = /<(?:\w+:)?Ntfctn[\s>]/.test(text);
    throw new UnreadableFileError(
      isNotice
        ? 'This is CAMT.054, which lists details of bookings. Import the statement, CAMT.053, instead.'
        : 'The file has no statement of CAMT.053 or CAMT.052.',
    );
  }
  const statements = drafts.map((draft) => toStatement(draft, { options, problems, notes }));
  const whole = chained(statements).map((statement) => withReversals(statement, problems));
  return {
    format: 'camt.053',
    accounts: accountsOf(whole, problems),
    problems: problems.listed,
    problemCount: problems.count,
    asks: [],
    notes: notes.listed,
  };
}

function entryOf(element: XmlElement): Entry {
  const details = findAll(element, 'NtryDtls/TxDtls');
  const direction = textAt(element, 'CdtDbtInd');
  const isReversal = ['true', '1'].includes(textAt(element, 'RvslInd').toLowerCase());
  const names = distinct(details.map((detail) => nameIn(detail, (direction === 'DBIT') !== isReversal)));
  const texts = distinct(details.map(textOfDetail));
  const [single] = details.length === 1 ? details : [];
  return {
    line: element.line,
    amount: find(element, 'Amt'),
    direction,
    isReversal,
    // Text in the older versions, and a code within in the newer ones.
    status: textAt(element, 'Sts/Cd', 'Sts/Prtry', 'Sts'),
    day: textAt(element, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'),
    description: cleanText(texts.join('; ') || textAt(element, 'AddtlNtryInf') || names.join('; ')),
    payee: names.length === 1 ? names[0]! : null,
    fileId:
      idOf(textAt(element, 'AcctSvcrRef')) ??
      (single ? idOf(textAt(single, 'Refs/AcctSvcrRef')) : null) ??
      idOf(textAt(element, 'NtryRef')),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map(cleanText))].filter((text) => text !== '');
}

/** The party on the other side. Its name lies one level deeper from version .08 on. */
function nameIn(detail: XmlElement, isCreditor: boolean): string {
  const [first, second] = isCreditor ? ['Cdtr', 'Dbtr'] : ['Dbtr', 'Cdtr'];
  const parties = [first, `Ultmt${first}`, second].map((party) => `RltdPties/${party}`);
  return textAt(detail, ...parties.flatMap((party) => [`${party}/Nm`, `${party}/Pty/Nm`]));
}

function textOfDetail(detail: XmlElement): string {
  const free = findAll(detail, 'RmtInf/Ustrd');
  const structured = ['RmtInf/Strd/CdtrRefInf/Ref', 'RmtInf/Strd/AddtlRmtInf'];
  const found = free.length > 0 ? free : structured.flatMap((path) => findAll(detail, path));
  return found.map(({ text }) => text).join(' ') || textAt(detail, 'AddtlTxInf');
}

interface Context {
  options: ReadOptions;
  problems: Problems;
  notes: Problems;
}

function toStatement({ line, account, balances: found, entries }: Draft, context: Context): ReadStatement {
  const { options, problems, notes } = context;
  const amounts = [...found.map((balance) => find(balance, 'Amt')), ...entries.map(({ amount }) => amount)];
  const code =
    (account && textAt(account, 'Ccy')) || amounts.find((amount) => amount?.currency !== undefined)?.currency;
  const currency = currencyOf(code, account?.line ?? line, options, problems);

  const rows: FileRow[] = [];
  const reversals = new Set<FileRow>();
  for (const entry of entries) {
    const announced = ANNOUNCED[entry.status];
    if (announced !== undefined) {
      notes.add(entry.line, `An entry is ${announced} and was left out: ${entry.description}`);
      continue;
    }
    const row = rowOf(entry, currency, options);
    if (typeof row === 'string') problems.add(entry.line, `${row} The entry is left out.`);
    else {
      rows.push(row);
      if (entry.isReversal) reversals.add(row);
    }
  }
  const balances = balancesIn(found, currency, context);
  const between = (kind: 'opening' | 'closing') => balances.findLast((balance) => balance.edge === kind) ?? null;
  const known = currencyCode(code);
  return {
    hint: hintOf(account, known),
    currency,
    rows,
    reversals,
    balances,
    opening: between('opening'),
    closing: between('closing'),
  };
}

function hintOf(account: XmlElement | null, currency: string | null): Statement['hint'] {
  const text = (...paths: string[]) => (account === null ? '' : cleanText(textAt(account, ...paths)));
  const id = text('Id/IBAN').replaceAll(' ', '') || text('Id/Othr/Id', 'Id/BBAN', 'Id/PrtryAcct/Id');
  const name = text('Nm');
  const kind = ACCOUNT_KINDS[text('Tp/Cd')];
  return { ...(id && { id }), ...(name && { name }), ...(kind && { kind }), ...(currency && { currency }) };
}

function rowOf(entry: Entry, currency: string, options: ReadOptions): FileRow | string {
  const { line, amount, direction, status, description, payee, fileId } = entry;
  if (!['', 'BOOK', 'PDNG'].includes(status)) return `The status "${status.slice(0, 20)}" is not known.`;
  const minor = amountIn(amount, direction, currency);
  if (typeof minor === 'string') return minor;
  const day = dayIn(entry.day);
  if (day === null) return 'The entry has no date that can be read.';
  const wrongDay = dayProblem(day, options.today);
  if (wrongDay !== null) return wrongDay;
  return { line, day, amountMinor: minor, description, payee, fileId, pending: status === 'PDNG' };
}

/** The direction alone has the sign. */
function amountIn(amount: XmlElement | undefined, direction: string, currency: string): number | string {
  if (amount === undefined) return 'There is no amount.';
  const text = cleanText(amount.text).slice(0, 40);
  if (amount.currency !== undefined && amount.currency !== currency && currencyCode(amount.currency) !== null) {
    return `The amount ${text} is in ${amount.currency} and not in ${currency}.`;
  }
  const minor = plainMinor(amount.text.trim(), '.', currency);
  if (typeof minor === 'string') return `The amount "${text}" ${minor}.`;
  if (minor === 0 || direction === 'CRDT') return minor;
  return direction === 'DBIT' ? -minor : 'The entry or balance does not say whether it is credit or debit.';
}

/** The day as written: offsets move no day. */
function dayIn(text: string): CalendarDate | null {
  const day = text.slice(0, 10);
  return isCalendarDate(day) ? day : null;
}

type EdgeBalance = FileBalance & { edge: 'opening' | 'closing' | null };

/** Of balances before the first row, the one of this statement is taken, and otherwise the last of the statement before. */
function balancesIn(found: readonly XmlElement[], currency: string, { options, problems }: Context): EdgeBalance[] {
  const codes = found.map((balance) => textAt(balance, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry', 'Tp/Cd'));
  const balances: EdgeBalance[] = [];
  found.forEach((element, place) => {
    const { line } = element;
    const code = codes[place]!;
    const kind = BALANCE_KINDS[code];
    if (kind === undefined || (code === 'PRCD' && codes.includes('OPBD'))) return;
    const leftOut = (reason: string) => problems.add(line, `${reason} The balance is left out.`);
    const minor = amountIn(find(element, 'Amt'), textAt(element, 'CdtDbtInd'), currency);
    if (typeof minor === 'string') return leftOut(minor);
    const day = dayIn(textAt(element, 'Dt/Dt', 'Dt/DtTm'));
    if (day === null) return leftOut('The balance has no date that can be read.');
    const wrongDay = dayProblem(day, options.today);
    if (wrongDay !== null) return leftOut(wrongDay);
    // At the edges of a page within a statement.
    const isOfPage = textAt(element, 'Tp/SubTp/Cd') === 'INTM' && kind !== 'available';
    const edge = kind === 'opening' || kind === 'closing' ? kind : null;
    balances.push({ line, day, kind: isOfPage ? 'interim' : kind, amountMinor: minor, edge });
  });
  return balances;
}

/**
 * Statements of an account chain by their balances: one that says only how it ends begins where the one before has ended.
 * Pages without balances at their edges are one statement.
 */
function chained(statements: readonly ReadStatement[]): ReadStatement[] {
  const whole: ReadStatement[] = [];
  for (const statement of statements) {
    const before = whole.at(-1);
    const isSame = before?.hint.id === statement.hint.id && before?.currency === statement.currency;
    if (!before || !isSame || statement.opening !== null) whole.push(statement);
    else if (before.opening !== null && before.closing === null) {
      for (const row of statement.rows) before.rows.push(row);
      for (const row of statement.reversals) before.reversals.add(row);
      before.balances.push(...statement.balances);
      before.closing = statement.closing;
    } else {
      const isNext =
        before.closing !== null && statement.closing !== null && before.closing.day <= statement.closing.day;
      whole.push({ ...statement, opening: isNext ? before.closing : null });
    }
  }
  return whole;
}

/**
 * By the standard, an entry that takes back another has the direction in which the money moves; some banks write that of
 * the entry which it takes back. The balances of the statement decide.
 */
function withReversals(statement: ReadStatement, problems: Problems): Statement {
  const { rows, reversals } = statement;
  const difference = differenceOf(statement);
  if (reversals.size === 0 || difference === 0) return statement;
  const [first] = reversals;
  const turned = rows.map((row) =>
    reversals.has(row) && row.amountMinor !== 0 ? { ...row, amountMinor: -row.amountMinor } : row,
  );
  if (difference !== null && differenceOf({ ...statement, rows: turned }) === 0) return { ...statement, rows: turned };
  if (difference === null) {
    problems.add(
      first!.line,
      'No balance shows whether entries that take back others are written with their own direction. By the standard they are.',
    );
  }
  return statement;
}
