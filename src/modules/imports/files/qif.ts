import { type CalendarDate, minorDigits } from '../../../kit.js';
import { decimalSignOf, minorOf, type WrittenAmount, writtenAmount } from './amounts.js';
import { withPlainLineEnds } from './csv-records.js';
import { dateOrderOf, dayOf, dayProblem, questionOfOrder, writtenDate } from './dates.js';
import {
  cleanText,
  type DateOrder,
  type DecimalSign,
  type FileAccount,
  type FileQuestion,
  MAX_ROWS,
  Problems,
  type ReadOptions,
  type StatementFile,
  UnreadableFileError,
} from './statement-file.js';

/** By the type of a list of rows, and of an account. */
const KINDS: Record<string, string> = {
  bank: 'checking',
  cash: 'cash',
  ccard: 'credit_card',
  'oth a': 'other',
  'oth l': 'loan',
  invst: 'investment',
  port: 'investment',
  '401(k)/403(b)': 'investment',
};
/** Lists of other things. */
const NO_ROWS = /^(?:cat|class|security|prices|memorized|budget|invitem|template|tag|tax)/;
const INVESTMENTS = 'investment';

/** What an action does to the money part of an investment account. Those that are not listed move no money. */
const ACTIONS: [RegExp, 1 | -1][] = [
  [/^(?:buy|cvrshrt|miscexp|margint|xout|withdrw|withdrwx|cashout|debit|writechk)$/i, -1],
  [/^(?:sell|shtsell|div|intinc|cglong|cgshort|cgmid|miscinc|rtrncap|xin|contrib|contribx|cashin|deposit|credit)$/i, 1],
];
const OPENING =
  /^(?:opening balance|solde initial|anfangssaldo|eröffnungssaldo|saldo inicial|saldo iniziale|beginsaldo)$/i;

/** Lines up to `^`: the first letter of each says what it is. */
interface Block {
  line: number;
  fields: Map<string, string>;
}

interface Section {
  account: { name?: string; kind?: string };
  blocks: Block[];
}

/** Reads the text of a QIF file. The format has no rule for dates, amounts or charset, so the whole file decides. */
export function readQif(text: string, options: ReadOptions): StatementFile {
  const sections = sectionsOf(text);
  const blocks = sections.flatMap((section) => section.blocks);
  const problems = new Problems();
  const asks: FileQuestion[] = [];
  const dates = blocks.flatMap(({ fields }) => writtenDate(fields.get('D') ?? '', options.today) ?? []);
  const order = options.choices.date_order ?? dateOrderOf(dates, options.today);
  if (order === null) {
    const texts = blocks.map(({ fields }) => fields.get('D') ?? '');
    asks.push(questionOfOrder(texts, options.today));
  }
  const digits = minorDigits(options.currency) ?? 2;
  const amounts = blocks.flatMap(({ fields }) => writtenAmount(amountText(fields)) ?? []);
  const decimal = options.choices.decimal ?? decimalSignOf(amounts, digits) ?? '.';
  if (decimal === 'open') {
    const example = amounts.find(({ figures }) => /[.,]/.test(figures))?.figures ?? '';
    asks.push({
      choice: 'decimal',
      message: `Is "${example}" more than a thousand, or a small amount with three decimals?`,
    });
  }

  const notation = { order: order ?? 'dmy', decimal: decimal === 'open' ? '.' : decimal, digits } as const;
  const accounts = new Map<string, FileAccount>();
  for (const { account, blocks: ofSection } of sections) {
    const key = JSON.stringify(account);
    const found = accounts.get(key) ?? { hint: { ...account }, rows: [], balances: [] };
    accounts.set(key, found);
    for (const block of ofSection) addRow(found, block, { ...notation, today: options.today, problems });
  }
  if (blocks.length === 0) problems.add(1, 'The file has no rows.');
  return {
    format: 'qif',
    accounts: [...accounts.values()],
    problems: problems.listed,
    problemCount: problems.count,
    asks,
  };
}

/** U and T are the same amount; O is a commission, which is within. */
const amountText = (fields: Block['fields']) => fields.get('T') ?? fields.get('U') ?? '';

/** The lists of rows, each with the account before it. Lists of categories, classes, securities and prices are skipped. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let account: Section['account'] = {};
  let within: 'accounts' | 'rows' | 'other' = 'rows';
  let rows: Block[] | null = null;
  let count = 0;
  let block: Block = { line: 1, fields: new Map() };
  const close = () => {
    const { fields } = block;
    if (fields.size > 0 && within === 'accounts') account = accountIn(fields);
    if (fields.size > 0 && within === 'rows') {
      if (rows === null) sections.push({ account, blocks: (rows = []) });
      rows.push(block);
      if (++count > MAX_ROWS) throw new UnreadableFileError(`The file has more than ${MAX_ROWS} rows.`);
    }
    block = { line: 0, fields: new Map() };
  };
  const plain = withPlainLineEnds(text);
  let number = 0;
  let end: number;
  for (let from = 0; from <= plain.length; from = end + 1) {
    const newline = plain.indexOf('\n', from);
    end = newline === -1 ? plain.length : newline;
    const line = plain.slice(from, end).trimEnd();
    number++;
    if (line.startsWith('!')) {
      close();
      const type = /^!type:(.*)$/i.exec(line)?.[1]?.trim().toLowerCase();
      if (/^!account/i.test(line)) within = 'accounts';
      else if (type !== undefined) {
        within = NO_ROWS.test(type) ? 'other' : 'rows';
        if (within === 'rows') {
          const kind = KINDS[type] ?? account.kind;
          account = { ...account, ...(kind !== undefined && { kind }) };
          sections.push({ account, blocks: (rows = []) });
        }
      }
    } else if (line.startsWith('^')) close();
    else if (line !== '') {
      if (block.fields.size === 0) block.line = number;
      const [letter = '', value] = [line[0], line.slice(1).trim()];
      // The lines of a split repeat their letters, and the first of another letter is the row's own.
      if (!block.fields.has(letter)) block.fields.set(letter, value);
    }
  }
  close();
  return sections;
}

function accountIn(fields: Block['fields']): Section['account'] {
  const name = cleanText(fields.get('N') ?? '');
  const kind = KINDS[(fields.get('T') ?? '').toLowerCase()];
  return { ...(name !== '' && { name }), ...(kind !== undefined && { kind }) };
}

interface Notation {
  order: DateOrder;
  decimal: DecimalSign;
  digits: number;
  today: CalendarDate;
  problems: Problems;
}

function addRow(account: FileAccount, { line, fields }: Block, notation: Notation): void {
  const { problems } = notation;
  const dateText = fields.get('D');
  if (dateText === undefined) return problems.add(line, 'The row has no date.');
  const date = writtenDate(dateText, notation.today);
  const day = date && dayOf(date, notation.order, notation.today);
  if (day === null) {
    const why = date === null ? 'cannot be read' : 'does not fit the order of the other dates';
    return problems.add(line, `The date "${cleanText(dateText)}" ${why}.`);
  }
  const outside = dayProblem(day, notation.today);
  if (outside !== null) return problems.add(line, outside);

  const isInvestment = account.hint.kind === INVESTMENTS;
  const moved = isInvestment ? actionOf(fields.get('N') ?? '') : null;
  if (moved === 0) return;
  const text = amountText(fields);
  if (text === '') return problems.add(line, 'The row has no amount.');
  const written = writtenAmount(text);
  const minor = written && minorIn(written, notation);
  if (typeof minor !== 'number')
    return problems.add(line, `The amount "${cleanText(text)}" ${minor ?? 'cannot be read'}.`);

  const amountMinor = moved === null ? minor : 0 + moved * Math.abs(minor);
  const payee = cleanText(fields.get('P') ?? '');
  const own = /^\[(.*)\]$/.exec(fields.get('L') ?? '')?.[1];
  if (isOpeningRow(account, own, payee)) {
    account.hint.name ??= cleanText(own ?? '') || undefined;
    if (account.hint.name === undefined) delete account.hint.name;
    account.balances.push({ line, day, kind: 'opening', amountMinor });
    return;
  }
  const memo = cleanText(fields.get('M') ?? '');
  const security = isInvestment ? cleanText(`${fields.get('N') ?? ''} ${fields.get('Y') ?? ''}`) : '';
  const words = [payee, memo, security].filter((word) => word !== '');
  const description = cleanText([...new Set(words)].join(' '));
  account.rows.push({ line, day, amountMinor, description, payee: payee || null, fileId: null, pending: false });
}

function minorIn(written: WrittenAmount, { decimal, digits }: Notation): number | string {
  return minorOf(written, decimal, digits);
}

/** A first row that comes from the account itself is what was there before. */
function isOpeningRow({ hint, rows, balances }: FileAccount, own: string | undefined, payee: string): boolean {
  if (rows.length > 0 || balances.length > 0 || own === undefined) return false;
  return hint.name === undefined ? OPENING.test(payee) : own === hint.name;
}

/**
 * 1 and -1: what the action does to the money part; 0: nothing. `BuyX` pays from another account, so it moves none here.
 * `null`: no action at all, so that the amount has its own sign.
 */
function actionOf(action: string): 1 | -1 | 0 | null {
  if (action === '' || /^cash$/i.test(action)) return null;
  return ACTIONS.find(([names]) => names.test(action))?.[1] ?? 0;
}
