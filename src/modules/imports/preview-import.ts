import {
  accountRules,
  type AccountRow,
  addDays,
  type CalendarDate,
  type ComparedBalance,
  type NewList,
  type PreviewedList,
  type PreviewedRow,
  validationFailed,
} from '../../kit.js';
import type { FileAccount, FileRow, StatementFile } from './files/statement-file.js';
import type { ImportChoices, ImportPreview, ImportQuestion, PartPreview, Target } from './import.entities.js';

/** An account of a file with the account into which it goes, as a list. */
export interface ImportedPart {
  target: Target;
  account: AccountRow;
  /** Booked rows, in the order of the list's. */
  rows: FileRow[];
  pending: number;
  list: NewList;
}

const MAX_LISTED_DIFFERENCES = 10;
const MAX_SAMPLE = 10;

/** Where the accounts of a file go: as chosen, or the first one in the currency of the account. */
export function targetsOf(file: StatementFile, choices: ImportChoices, { currency }: AccountRow): readonly Target[] {
  const { account_id, accounts } = choices;
  if (accounts === undefined) {
    const place = file.accounts.findIndex(({ hint }) => (hint.currency ?? currency) === currency);
    return [{ file_account: Math.max(place, 0), account_id }];
  }
  if (accounts.some(({ file_account: place }) => place !== 0 && place >= file.accounts.length))
    throw validationFailed([`accounts must name accounts of the file, which has ${file.accounts.length}`]);
  return accounts;
}

/** What nothing decides, the accounts of the file included. */
export function questionsOf({ asks, accounts }: StatementFile, choices: ImportChoices): ImportQuestion[] {
  if (accounts.length < 2 || choices.accounts !== undefined) return asks;
  const message = `The file has ${accounts.length} accounts. Which of them goes into which account?`;
  return [...asks, { choice: 'accounts', message }];
}

/** The list of an account of a file. Pending rows take no part. */
export function partOf(name: string, file: StatementFile, target: Target, account: AccountRow): ImportedPart {
  const found = file.accounts[target.file_account] ?? NOTHING;
  const rows = found.rows.filter(({ pending }) => !pending);
  const currency = found.hint.currency ?? account.currency!;
  const list: NewList = {
    name,
    currency,
    rows: rows.map(({ day, amountMinor, description, payee }) => ({
      date: day,
      amountMinor,
      description,
      merchant: payee,
    })),
    balances: statedBalances(found, accountRules(account.account_type).factor),
    covered: rows.length === 0 ? null : coveredDays(rows, found),
  };
  return { target, account, rows, pending: found.rows.length - rows.length, list };
}

const NOTHING: FileAccount = { hint: {}, rows: [], balances: [] };

/** A file of balances alone has those of a debt as people write them: what is owed is positive. */
function statedBalances({ rows, balances }: FileAccount, factor: 1 | -1): NewList['balances'] {
  const sign = rows.length === 0 && balances.every(({ amountMinor }) => amountMinor >= 0) ? factor : 1;
  const byDay = new Map<CalendarDate, number>();
  for (const { kind, endOf, amountMinor } of balances) if (kind === 'opening' && endOf) byDay.set(endOf, amountMinor);
  for (const { kind, day, amountMinor } of balances) if (kind === 'closing') byDay.set(day, amountMinor);
  return [...byDay].map(([date, balanceMinor]) => ({ date, balanceMinor: balanceMinor * sign }));
}

function coveredDays(rows: readonly FileRow[], { balances }: FileAccount): NewList['covered'] {
  const closing = balances.flatMap(({ kind, day }) => (kind === 'closing' ? [day] : []));
  // A list begins on the day after its opening balance.
  const opening = balances.flatMap(({ endOf }) => (endOf ? [addDays(endOf, 1)] : []));
  let [first, last] = [rows[0]!.day, rows[0]!.day];
  for (const days of [rows.map(({ day }) => day), closing, opening]) {
    for (const day of days) {
      if (day < first) first = day;
      if (day > last) last = day;
    }
  }
  return { first, last };
}

export function previewOf(file: StatementFile, choices: ImportChoices, parts: readonly PartPreview[]): ImportPreview {
  return {
    encoding: file.encoding?.name ?? null,
    problems: file.problems,
    problem_count: file.problemCount,
    notes: file.notes ?? [],
    questions: questionsOf(file, choices),
    csv: file.csv ?? null,
    file_accounts: file.accounts.map(({ hint, rows }, place) => ({
      place,
      identifier: hint.id ?? null,
      name: hint.name ?? null,
      kind: hint.kind ?? null,
      currency: hint.currency ?? null,
      rows: rows.length,
    })),
    parts: [...parts],
  };
}

/**
 * @param placed what would become of each row
 * @param compared the balances of the file
 */
export function previewPart(
  { target, list, pending, rows }: ImportedPart,
  { rows: placed, superseded }: PreviewedList,
  compared: readonly ComparedBalance[],
): PartPreview {
  const known = compared.flatMap(({ date, balanceMinor, derivedMinor }) =>
    derivedMinor === null ? [] : [{ date, stated_minor: balanceMinor, known_minor: derivedMinor }],
  );
  const differing = known.filter(({ stated_minor: stated, known_minor: other }) => stated !== other);
  const count = (is: (row: PreviewedRow) => boolean) => placed.filter(is).length;
  return {
    ...target,
    currency: list.currency,
    first_date: list.covered?.first ?? null,
    last_date: list.covered?.last ?? null,
    counts: {
      found: placed.length,
      added: count(({ standing, replaces }) => standing === 'counted' && !replaces),
      replacing: count(({ replaces }) => replaces),
      paired: count(({ standing }) => standing === 'paired'),
      left_out: count(({ standing }) => standing === 'left_out'),
      doubtful: count(({ isDoubtful }) => isDoubtful),
      pending,
      superseded: superseded.length,
    },
    superseded: superseded.slice(0, MAX_SAMPLE).map(({ date, amountMinor, description }) => ({
      date,
      amount_minor: amountMinor,
      description,
    })),
    balances: {
      stated: compared.length,
      agreeing: known.length - differing.length,
      differing: differing.length,
      differences: differing.slice(0, MAX_LISTED_DIFFERENCES),
    },
    sample: rows.slice(0, MAX_SAMPLE).map(({ line, day, amountMinor, description, payee }, place) => ({
      line,
      date: day,
      amount_minor: amountMinor,
      description: description || (payee ?? ''),
      standing: placed[place]!.replaces ? 'paired' : placed[place]!.standing,
    })),
  };
}
