import { type CalendarDate, minorDigits } from '../../../kit.js';
import { chained, dayBalances, type RunningBalance } from './csv-balances.js';
import { type CsvLayout, isWider, widthOf } from './csv-layout.js';
import { balanceIn, type Preamble, type StatedBalance, statedOf } from './csv-preamble.js';
import type { CsvRecord } from './csv-records.js';
import { cellOf, dayIn, moneyOf, type Notation, type RowMoney, statusOf, type WrittenRow } from './csv-rows.js';
import { dayProblem } from './dates.js';
import { idOf, moneyText } from './statements.js';
import {
  cleanText,
  type FileAccount,
  type FileProblem,
  type FileQuestion,
  type FileRow,
  type Problems,
  type ReadOptions,
} from './statement-file.js';

const MAX_BREAKS = 10;
/** In files of cards that list charges as positive, the payment of the card is negative. */
const CARD_PAYMENT =
  /\bauto ?pay|payment[ -]+(?:received|thank)|thank you for your payment|zahlung(?:seingang)? .*dank/i;
const BALANCE_ROW =
  /^(?:opening|closing|beginning|ending|starting|previous) balance$|^balance (?:brought|carried) forward$|^(?:saldovortrag|anfangssaldo|endsaldo|solde initial|solde final|saldo inicial|saldo final|saldo iniziale|saldo finale|beginsaldo|eindsaldo)$/i;
const CLOSING_ROW = /^(?:closing|ending|end|balance carried)|final|eindsaldo/i;

interface Entry extends RunningBalance {
  fee: number;
  row: FileRow | null;
}

interface Account {
  id: string | null;
  name: string | null;
  currency: string | null;
  /** What is booked, in the file's order. */
  entries: Entry[];
  pending: FileRow[];
  balances: FileAccount['balances'];
}

/** What is known of a file before its rows are read one by one. */
interface CsvFile {
  layout: CsvLayout;
  notation: Notation;
  rows: readonly WrittenRow[];
  options: ReadOptions;
  problems: Problems;
}

const NO_PREAMBLE: Preamble = { id: null, name: null, currency: null, balances: [], dates: [] };

/** What the rows of a file say, account by account. */
export class CsvAccounts {
  readonly notes: FileProblem[] = [];
  private readonly found = new Map<string, Account>();
  /** With the account of the lines above the rows. */
  private readonly stated: { of: string | null; balance: StatedBalance }[] = [];
  private readonly ids = new Set<string>();
  private readonly layout: CsvLayout;
  private notation: Notation;
  private preamble: Preamble = NO_PREAMBLE;
  private readonly options: ReadOptions;
  private readonly problems: Problems;
  private readonly width: number;

  constructor(of: CsvFile) {
    this.layout = of.layout;
    this.notation = of.notation;
    this.options = of.options;
    this.problems = of.problems;
    this.width = widthOf(
      of.layout,
      of.rows.map(({ record }) => record),
    );
  }

  /** A file may have the accounts one below the other, each with its own lines above a header. */
  startSection(preamble: Preamble): void {
    if (preamble.id !== null || preamble.name !== null) this.preamble = preamble;
    this.notation = { ...this.notation, currency: preamble.currency ?? this.notation.currency };
    for (const balance of preamble.balances) this.stated.push({ of: this.preamble.id ?? this.preamble.name, balance });
  }

  add(row: WrittenRow): void {
    const { record } = row;
    const { columns } = this.layout;
    const { line } = record;
    const status = cellOf(record, columns.status);
    const kind = statusOf(status);
    if (kind === 'no row')
      return void this.notes.push({ line, message: `Left out, as the bank calls it "${status}".` });
    if (row.date === null && this.takeFooter(row)) return;
    if (isWider(record, this.width))
      return this.problems.add(line, `The line has more columns than the header: ${shown(record)}`);
    const day = dayIn(row, this.layout, this.notation, this.options.today);
    if (typeof day === 'string') return this.problems.add(line, day);
    const outside = dayProblem(day.day, this.options.today);
    if (outside !== null) return this.problems.add(line, outside);
    const money = moneyOf(row, this.layout, this.notation, this.options);
    if (typeof money === 'string') return this.problems.add(line, money);
    if (money.amount === null && money.balance === null)
      return this.problems.add(line, `The line has no amount: ${shown(record)}`);
    if (money.doubt !== null) this.problems.add(line, money.doubt);
    this.addEntry(record, day.day, money, kind === 'pending');
  }

  private addEntry(
    record: CsvRecord,
    day: CalendarDate,
    { currency, amount, fee, balance }: RowMoney,
    pending: boolean,
  ): void {
    const { columns, texts } = this.layout;
    const { line } = record;
    const account = this.accountOf(cellOf(record, columns.account), currency);
    const payees = this.layout.payees.map(({ place, side }) => ({ side, name: cleanText(cellOf(record, place)) }));
    const sides = payees.filter(({ name }) => name !== '');
    const side = (amount ?? 0) < 0 ? 'to' : 'from';
    const payee = (sides.find((one) => one.side === side) ?? sides[0])?.name ?? null;
    const words = [...sides.map(({ name }) => name), ...texts.map((place) => cleanText(cellOf(record, place)))];
    const description = cleanText([...new Set(words)].join(' '));
    if (amount !== null && balance === null && BALANCE_ROW.test(description)) {
      const kind = CLOSING_ROW.test(description) ? 'closing' : 'opening';
      account.balances.push({ line, day, kind, amountMinor: amount });
      return;
    }
    if (amount === null) return void account.entries.push({ line, day, moved: 0, balance, fee: 0, row: null });

    const fileId = idOf(cellOf(record, columns.id));
    const row: FileRow = { line, day, amountMinor: amount, description, payee, fileId, pending };
    if (fileId !== null) {
      const key = JSON.stringify([account.id, fileId, day, amount, description]);
      if (this.ids.has(key))
        return this.problems.add(line, `The row with the id ${fileId} stands in the file before; it counts once.`);
      this.ids.add(key);
    }
    if (pending) account.pending.push(row);
    else account.entries.push({ line, day, moved: amount, balance, fee, row });
  }

  /** The one that the row names, or the lines above it. */
  private accountOf(own: string, currency: string | null): Account {
    const isName = own !== '' && !/\d/.test(own);
    const id = own === '' ? this.preamble.id : isName ? null : own.replace(/(?<=[\dA-Z])\s(?=[\dA-Z])/g, '');
    const name = isName ? cleanText(own) : id === null ? this.preamble.name : null;
    const key = JSON.stringify([id, name, currency]);
    const account = this.found.get(key) ?? { id, name, currency, entries: [], pending: [], balances: [] };
    this.found.set(key, account);
    return account;
  }

  /** A line without a date, below the rows mostly: a balance, a total, or an end mark. */
  private takeFooter({ record, money }: WrittenRow): boolean {
    const { columns } = this.layout;
    const balance = balanceIn(record, this.options.today);
    if (balance && 'date' in balance) {
      this.stated.push({ of: this.preamble.id ?? this.preamble.name, balance });
      return true;
    }
    const hasDigits = /\d/.test(cellOf(record, columns.date));
    const hasMoney = Object.values(money).some((amount) => amount !== null);
    if (hasDigits && hasMoney) return false;
    const why = hasMoney ? 'The line has no date, and was taken for a total' : 'The line is no row';
    this.problems.add(record.line, `${why}: ${shown(record)}`);
    return true;
  }

  /** Signs, fees and balances, which need all rows of an account. */
  finish(asks: FileQuestion[]): void {
    if (this.found.size === 0) this.accountOf('', this.notation.currency);
    const accounts = [...this.found.values()];
    const booked = accounts.flatMap(({ entries }) => entries);
    const feesMove = booked.some(({ fee }) => fee !== 0) && !feesAreWithin(accounts);
    const isFlipped = this.isFlipped(booked, accounts, asks);
    for (const account of accounts) {
      for (const entry of account.entries) {
        if (isFlipped) flip(entry);
        if (feesMove && entry.fee !== 0) entry.moved += entry.fee;
      }
      if (isFlipped) for (const row of account.pending) row.amountMinor = 0 - row.amountMinor;
      if (isFlipped && chained(account.entries, -1) > chained(account.entries)) {
        for (const entry of account.entries) if (entry.balance !== null) entry.balance = 0 - entry.balance;
      }
      if (!feesMove) for (const entry of account.entries) entry.fee = 0;
      this.addBalances(account);
    }
    this.addStated(accounts);
  }

  /** Whether money out is listed as positive: chosen, told by a running balance, or asked. */
  private isFlipped(booked: readonly Entry[], accounts: readonly Account[], asks: FileQuestion[]): boolean {
    const { choices, isCard } = this.options;
    if (choices.sign !== undefined) return choices.sign === 'flip';
    const { amount, direction } = this.layout.columns;
    if (amount === undefined || direction !== undefined) return false;
    const count = (sign: 1 | -1) => accounts.reduce((sum, { entries }) => sum + chained(entries, sign), 0);
    const against = count(-1);
    if (isCard !== true && against > 2 && count(1) === 0) return true;
    const moved = booked.filter(({ moved }) => moved !== 0);
    const mostlyIn = 2 * moved.filter(({ moved }) => moved > 0).length > moved.length;
    const paysCard = moved.some((entry) => entry.moved < 0 && CARD_PAYMENT.test(entry.row?.description ?? ''));
    if (mostlyIn && (isCard === true || paysCard)) {
      asks.push({ choice: 'sign', message: 'Most amounts are positive. Are these charges, or money that came in?' });
    }
    return false;
  }

  private addBalances(account: Account): void {
    const withBalance = account.entries.some(({ balance }) => balance !== null);
    if (!withBalance) return;
    const isValues = account.entries.every(({ row }) => row === null);
    const { balances, breaks } = dayBalances(account.entries);
    for (const balance of balances) account.balances.push({ ...balance, kind: 'closing' });
    if (isValues) return;
    if (breaks.length > MAX_BREAKS) {
      this.problems.add(breaks[0]!.line, `The balances of ${breaks.length} days do not follow from the rows.`);
      return;
    }
    for (const { line, day, amountMinor, expectedMinor } of breaks) {
      const [says, gives] = [amountMinor, expectedMinor].map((minor) => this.text(minor, account.currency));
      this.problems.add(line, `The balance of ${day} is ${says}, and the rows give ${gives}.`);
    }
  }

  private addStated(accounts: readonly Account[]): void {
    const decimal = this.notation.decimals[this.layout.columns.amount === undefined ? 'balance' : 'amount'];
    for (const { of, balance } of this.stated) {
      const account = accounts.find(({ id, name }) => (id ?? name) === of) ?? accounts[0]!;
      const digits = minorDigits(account.currency ?? this.options.currency) ?? 2;
      const found = statedOf(balance, { ...this.notation, decimal, digits, today: this.options.today });
      const isKnown = account.balances.some(({ kind, day, amountMinor }) => {
        return kind === balance.kind && day === found?.day && amountMinor === found.amountMinor;
      });
      if (found && !isKnown) account.balances.push({ line: balance.line, kind: balance.kind, ...found });
    }
    for (const account of accounts) this.checkStated(account);
  }

  private checkStated({ balances, entries, currency }: Account): void {
    if (entries.some(({ balance }) => balance !== null)) return;
    const opening = balances.find(({ kind }) => kind === 'opening');
    const closing = balances.find(({ kind }) => kind === 'closing');
    if (!opening || !closing) return;
    const expected = opening.amountMinor + entries.reduce((sum, { moved }) => sum + moved, 0);
    if (expected === closing.amountMinor) return;
    const [says, gives] = [closing.amountMinor, expected].map((minor) => this.text(minor, currency));
    this.problems.add(closing.line, `The closing balance is ${says}, and the rows give ${gives}.`);
  }

  private text(minor: number, currency: string | null): string {
    return moneyText(minor, currency ?? this.options.currency);
  }

  accounts(): FileAccount[] {
    return [...this.found.values()].map(({ id, name, currency, entries, pending, balances }) => {
      const rows = [...entries.flatMap(rowsOf), ...pending].sort((one, other) => one.line - other.line);
      return {
        hint: { ...(id !== null && { id }), ...(name !== null && { name }), ...(currency !== null && { currency }) },
        rows,
        balances,
      };
    });
  }
}

function shown({ cells }: CsvRecord): string {
  return cleanText(cells.join(' ')).slice(0, 100);
}

function flip(entry: Entry): void {
  entry.moved = 0 - entry.moved;
  if (entry.row) entry.row.amountMinor = entry.moved;
}

/** Whether the running balance shows that amounts have their fee within. */
function feesAreWithin(accounts: readonly Account[]): boolean {
  return accounts.some(({ entries }) => {
    const withFees = entries.map((entry) => ({ ...entry, moved: entry.moved + entry.fee }));
    return chained(entries) > chained(withFees);
  });
}

/** A fee is a row of its own, since the feed of a bank lists it so. */
function rowsOf({ row, fee }: Entry): FileRow[] {
  if (row === null) return [];
  if (fee === 0) return [row];
  return [row, { ...row, amountMinor: fee, description: cleanText(`Fee: ${row.description}`), fileId: null }];
}
