import { addDays, type CalendarDate, currencyCode, daysBetween, isCalendarDate } from '../../../kit.js';
import { dayProblem } from './dates.js';
import { type InformationText, readInformation } from './mt940-text.js';
import {
  cleanText,
  type FileBalance,
  type FileRow,
  Problems,
  type ReadOptions,
  type StatementFile,
  UnreadableFileError,
} from './statement-file.js';
import { accountsOf, currencyOf, idOf, plainMinor, refuseMoreThanRows, type Statement } from './statements.js';

interface Field {
  tag: string;
  line: number;
  /** The first without the tag. */
  lines: string[];
}

interface Row {
  field: Field;
  information: string[];
}

/** The fields of a message, before anything is read from them. */
interface Message {
  line: number;
  account: string;
  /** Of the floor limits and sums of an intraday report, which has no balances. */
  currency: string | null;
  balances: Field[];
  rows: Row[];
}

const FIELD = /^:(\d{2,3}[A-Z]?|NS):/;
const BALANCE = /^(R?[CD])\s*(\d{6})\s?([A-Z]{3})\s*(\d[\d.]*(?:,\d*)?)\s*$/;
/** Value day, entry day, mark, third letter of the currency, amount, type, references. */
const ROW = /^(\d{6})(\d{4})?\s*(R[CD]|E[CD]|[CD])([A-Z])?\s*(\d[\d.]*(?:,\d*)?)([A-Z][A-Z0-9]{3})(.*)$/;
/** Marks with which money comes in. RC takes back a credit, and RD a debit; EC is an expected credit. */
const MONEY_IN = new Set(['C', 'RD', 'EC']);
const BALANCE_KINDS: Record<string, FileBalance['kind']> = {
  '60F': 'opening',
  '60M': 'interim',
  '62F': 'closing',
  '62M': 'interim',
  '64': 'available',
};
/** A year of two digits lies at most so far ahead. */
const TWO_DIGITS_AHEAD = 20;
const HALF_A_YEAR = 183;

/** Reads MT940, and intraday reports in MT942. */
export function readMt940(text: string, options: ReadOptions): StatementFile {
  const problems = new Problems();
  const { messages: all, cutAt } = readMessages(text);
  const messages = all.filter(({ rows, balances }) => rows.length + balances.length > 0);
  if (messages.length === 0) {
    throw new UnreadableFileError('This is not a file of this format: it has no statement of MT940.');
  }
  const statements = messages.map((message) => toStatement(message, options, problems));
  const cutRow = messages.at(-1)!.rows.at(-1)?.field.line ?? cutAt;
  if (cutAt !== null && !problems.listed.some(({ line }) => line === cutRow)) {
    problems.add(cutAt, 'The file ends within a statement, before its closing balance: something may be missing.');
  }
  const accounts = accountsOf(statements, problems);
  return { format: 'mt940', accounts, problems: problems.listed, problemCount: problems.count, asks: [] };
}

/** Bank lines and envelopes around the messages belong to no field. */
function readMessages(text: string): { messages: Message[]; cutAt: number | null } {
  const messages: Message[] = [];
  let row: Row | null = null;
  /** To which a line without a tag belongs. */
  let lines: string[] | null = null;
  let number = 0;
  let count = 0;
  let isEnded = false;
  for (const whole of text.split(/\r\n|\n|\r/)) {
    number++;
    const line = whole.replace(/^\{.*\{4:/, '');
    if (line !== whole || line.trimEnd() === '-' || /^(?:-\}|\{\d:)/.test(line)) {
      lines = row = null;
      isEnded = true;
    }
    const tag = FIELD.exec(line)?.[1];
    if (tag === undefined) {
      lines?.push(line);
      continue;
    }
    isEnded = false;
    const first = line.slice(tag.length + 2);
    if (tag === '86') {
      // It is of the row right before it; after a balance, it is of the statement.
      lines = row === null ? null : row.information;
      lines?.push(first);
      continue;
    }
    if (tag === '20' || tag.startsWith('6')) refuseMoreThanRows(++count);
    const field: Field = { tag, line: number, lines: [first] };
    const message = messageOf(field, messages);
    row = tag === '61' ? { field, information: [] } : null;
    if (row !== null) message.rows.push(row);
    else if (BALANCE_KINDS[tag] !== undefined) message.balances.push(field);
    lines = row === null ? null : field.lines;
  }
  const last = messages.at(-1)?.balances ?? [];
  const isOpen = last.some(({ tag }) => tag.startsWith('60')) && !last.some(({ tag }) => tag.startsWith('62'));
  return { messages, cutAt: isOpen && !isEnded ? number : null };
}

/** The message of a field, which may begin with it. */
function messageOf({ tag, line, lines }: Field, messages: Message[]): Message {
  const [first = ''] = lines;
  let message = messages.at(-1);
  const isBegin = tag === '20' || (tag.startsWith('60') && message?.balances.some((other) => /^6[02]/.test(other.tag)));
  if (message === undefined || isBegin) {
    const account = message !== undefined && tag !== '20' ? message.account : '';
    message = { line, account, currency: null, balances: [], rows: [] };
    messages.push(message);
  }
  if (tag === '25' || tag === '25P') message.account = first.trim();
  if (tag === '34F' || tag.startsWith('90')) message.currency ??= currencyCode(/^\d{0,5}([A-Z]{3})/.exec(first)?.[1]);
  return message;
}

function toStatement(message: Message, options: ReadOptions, problems: Problems): Statement {
  const { rows: found, balances: fields } = message;
  const written = fields.map(({ lines }) => BALANCE.exec(lines[0]!.trim())?.[3]).find((code) => code !== undefined);
  const known = currencyCode(written) ?? message.currency;
  const currency = known ?? currencyOf(written, fields[0]?.line ?? message.line, options, problems);
  const rows: FileRow[] = [];
  for (const row of found) {
    const read = rowOf(row, currency, options);
    if (typeof read === 'string') problems.add(row.field.line, `${read} The row is left out.`);
    else rows.push(read);
  }
  const balances: (FileBalance & { tag: string })[] = [];
  for (const field of fields) {
    const balance = balanceOf(field, currency, options);
    if (typeof balance === 'string') problems.add(field.line, `${balance} The balance is left out.`);
    else balances.push({ ...balance, tag: field.tag });
  }
  const opening = balances.find(({ tag }) => tag.startsWith('60')) ?? null;
  const closing = balances.findLast(({ tag }) => tag.startsWith('62')) ?? null;
  const hint = { ...accountId(message.account, known), ...(known && { currency: known }) };
  // A page begins with the balance with which the page before has ended.
  const listed = balances.filter(({ tag }) => tag !== '60M');
  return { hint, currency, rows, balances: listed, opening, closing };
}

/** Some banks write the currency behind the number. */
function accountId(account: string, currency: string | null): { id?: string } {
  const isBehind =
    /^(?:\S.*\s|[A-Z]{2}\d{2}[A-Z0-9]{10,30})[A-Z]{3}$/.test(account) && account.endsWith(currency ?? ' ');
  const id = cleanText(isBehind ? account.slice(0, -3) : account);
  return id === '' ? {} : { id };
}

function balanceOf({ tag, line, lines }: Field, currency: string, options: ReadOptions): FileBalance | string {
  const parts = BALANCE.exec(lines[0]!.trim());
  const day = parts && dayOf(parts[2]!, options.today);
  if (!parts || !day) return `Field ${tag} cannot be read.`;
  const [, mark = '', , code = '', amount = ''] = parts;
  if (currencyCode(code) !== null && code !== currency) return `Field ${tag} is in ${code} and not in ${currency}.`;
  const minor = plainMinor(amount, amount.includes(',') ? ',' : '.', currency);
  if (typeof minor === 'string') return `Field ${tag} cannot be read: ${amount} ${minor}.`;
  const wrongDay = dayProblem(day, options.today);
  if (wrongDay !== null) return wrongDay;
  return {
    line,
    day,
    kind: BALANCE_KINDS[tag]!,
    amountMinor: mark === 'C' || mark === 'RD' || minor === 0 ? minor : -minor,
  };
}

function rowOf({ field, information }: Row, currency: string, options: ReadOptions): FileRow | string {
  const parts = ROW.exec(field.lines[0]!.trim());
  const valueDay = parts && dayOf(parts[1]!, options.today);
  if (!parts || !valueDay) return 'Field 61 cannot be read.';
  const [, , entry, mark = '', , amount = '', , references = ''] = parts;
  const day = entry === undefined || entry === '0000' ? valueDay : entryDay(entry, valueDay);
  const minor = plainMinor(amount, amount.includes(',') ? ',' : '.', currency);
  if (day === null) return 'The entry date of field 61 cannot be read.';
  if (typeof minor === 'string') return `Field 61 cannot be read: ${amount} ${minor}.`;
  const wrongDay = dayProblem(day, options.today);
  if (wrongDay !== null) return wrongDay;
  const [reference, bankReference] = references.split('//', 2);
  return {
    line: field.line,
    day,
    amountMinor: MONEY_IN.has(mark) || minor === 0 ? minor : -minor,
    ...textsOf(readInformation(information), field),
    fileId: idOf(isCounterOfDay(bankReference, parts[1]!) ? undefined : bankReference) ?? idOf(reference),
    pending: mark.startsWith('E'),
  };
}

/** Such as `2603030001` on 3 March: another export may count anew. */
function isCounterOfDay(reference: string | undefined, day: string): boolean {
  return reference !== undefined && reference.startsWith(day) && /^\d{10}\s*$/.test(reference);
}

function textsOf({ text, kind, name }: InformationText, { lines }: Field): Pick<FileRow, 'description' | 'payee'> {
  const payee = cleanText(name);
  const more = lines.slice(1).join(' ');
  const description = [text, more, kind, payee].map(cleanText).find((part) => part !== '') ?? '';
  return { description, payee: payee === '' ? null : payee };
}

function dayOf(digits: string, today: CalendarDate): CalendarDate | null {
  const thisYear = Number(today.slice(0, 4));
  let year = Math.floor(thisYear / 100) * 100 + Number(digits.slice(0, 2));
  if (year > thisYear + TWO_DIGITS_AHEAD) year -= 100;
  else if (year <= thisYear + TWO_DIGITS_AHEAD - 100) year += 100;
  return dayOfMonth(year, digits.slice(2, 4), digits.slice(4, 6));
}

/** Banks whose months have 30 days write 30 February, which is its last day. */
function dayOfMonth(year: number, month: string, day: string): CalendarDate | null {
  if (Number(day) > 31) return null;
  for (let number = Number(day); number >= Math.min(Number(day), 28); number--) {
    const text = `${year}-${month}-${String(number).padStart(2, '0')}`;
    if (isCalendarDate(text)) return text;
  }
  return null;
}

/** The entry day has no year: it is the one within half a year of the value day. */
function entryDay(digits: string, valueDay: CalendarDate): CalendarDate | null {
  const nearest = [-HALF_A_YEAR, 0, HALF_A_YEAR]
    .map((days) => dayOfMonth(Number(addDays(valueDay, days).slice(0, 4)), digits.slice(0, 2), digits.slice(2)))
    .filter((day) => day !== null)
    .sort((one, other) => Math.abs(daysBetween(valueDay, one)) - Math.abs(daysBetween(valueDay, other)));
  return nearest[0] ?? null;
}
