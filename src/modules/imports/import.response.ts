import { Amount, Count, Day, Group, Id, List, Moment, OneOf, Pagination, responseOf, Text, Texts } from '../../kit.js';
import type { FileColumn } from './files/statement-file.js';
import {
  FileAccountResponse,
  FileLine,
  ImportColumns,
  ImportProblem,
  ImportQuestion,
  NOTHING_SAID,
  ReadAsResponse,
} from './file.response.js';
import { FILE_COLUMNS } from './import.request.js';
import { IMPORT_STATUSES, type ImportStatus } from './import.entities.js';
import type { ImportAccount, ImportRow } from './list-imports.service.js';

const FORMATS = ['csv', 'ofx', 'camt.053', 'mt940', 'qif'] as const;

class DifferentBalance {
  @Day({ example: '2025-12-31' })
  date: string;

  @Amount({ example: 120_00, description: 'In the file.' })
  stated: string;
  stated_cents: number;

  @Amount({ example: 115_00, description: 'What the history would say without it.' })
  known: string;
  known_cents: number;
}

class SupersededRow {
  @Day({ example: '2025-10-12' })
  date: string;

  @Amount({ example: -50_00 })
  amount: string;
  amount_cents: number;

  @Text({ example: 'Corner shop' })
  description: string;
}

export class ImportAccountResponse {
  @Id({ nullable: true, description: 'Of its list. `null`: the import is not accepted.' })
  id: string | null;

  @Id({ example: '9c2e6d0a-1b7f-4f5a-8c3d-2e4f6a8b0c1d' })
  account_id: string;

  @Count({ minimum: 0, example: 0, description: 'The place of the account in the file, from 0.' })
  file_account: number;

  @Day({
    from: 'first_date',
    nullable: true,
    example: '2025-01-02',
    description: 'The first of the days of which the file lists all transactions. `null`: it lists none.',
  })
  start_date: string | null;

  @Day({ from: 'last_date', nullable: true, example: '2025-12-31', description: 'The last of them.' })
  end_date: string | null;

  @Count({
    minimum: 0,
    example: 240,
    from: ({ counts }: ImportAccount) => counts.found,
    description: 'Posted transactions in the file. Each is one of those that are added, replacing, paired or left out.',
  })
  rows_found: number;

  @Count({
    minimum: 0,
    example: 231,
    from: ({ counts }: ImportAccount) => counts.added,
    description: 'Those that count, and that nothing else has.',
  })
  rows_added: number;

  @Count({
    minimum: 0,
    example: 0,
    from: ({ counts }: ImportAccount) => counts.replacing,
    description: 'Those that count in the place of equal ones of earlier files, or that you have added.',
  })
  rows_replacing: number;

  @Count({
    minimum: 0,
    example: 8,
    from: ({ counts }: ImportAccount) => counts.paired,
    description: 'Those that the bank or a later file has: these count once.',
  })
  rows_paired: number;

  @Count({
    minimum: 0,
    example: 1,
    from: ({ counts }: ImportAccount) => counts.left_out,
    description: 'Those on days of the bank, or of a later file, which does not have them. They do not count.',
  })
  rows_left_out: number;

  @Count({
    minimum: 0,
    nullable: true,
    example: 0,
    from: ({ counts }: ImportAccount) => counts.doubtful,
    description: 'Those that are like no other transaction, but of nearly the amount of one. `null`: accepted.',
  })
  rows_doubtful: number | null;

  @Count({
    minimum: 0,
    nullable: true,
    example: 0,
    from: ({ counts }: ImportAccount) => counts.pending,
    description: 'Pending transactions in the file, which are not imported. `null`: accepted.',
  })
  rows_pending: number | null;

  @Count({
    minimum: 0,
    nullable: true,
    example: 2,
    from: ({ counts }: ImportAccount) => counts.superseded,
    description:
      'Transactions of earlier files that would count no longer: this file lists their days, and not them. `null`: accepted.',
  })
  rows_superseded: number | null;

  @List(SupersededRow, {
    from: ({ superseded, currency }: ImportAccount) => superseded.map((one) => ({ ...one, currency })),
    description: 'The first ten of them.',
  })
  superseded: SupersededRow[];

  @Count({
    minimum: 0,
    example: 12,
    from: ({ balances }: ImportAccount) => balances.stated,
    description: 'Balances of the ends of days in the file.',
  })
  balances_stated: number;

  @Count({
    minimum: 0,
    nullable: true,
    example: 4,
    from: ({ balances }: ImportAccount) => balances.agreeing,
    description: 'Those equal to what the history would say of their days without them. `null`: accepted.',
  })
  balances_agreeing: number | null;

  @Count({
    minimum: 0,
    nullable: true,
    example: 0,
    from: ({ balances }: ImportAccount) => balances.differing,
    description: 'Those that differ from it. `null`: accepted. Nothing else is known of the days of the rest.',
  })
  balances_differing: number | null;

  @List(DifferentBalance, {
    from: ({ balances, currency }: ImportAccount) => balances.differences.map((one) => ({ ...one, currency })),
    description: 'The first ten of them.',
  })
  differences: DifferentBalance[];
}

const NO_COLUMNS = Object.fromEntries(FILE_COLUMNS.map((name) => [name, null])) as Record<FileColumn, null>;
const ofPreview = 'Empty once it is accepted.';

export class ImportResponse {
  @Id({ example: '5b1f3a52-8f4e-4c3c-9a5e-6d1f0a2b3c4d' })
  id: string;

  @Text({ from: 'name', example: 'checking-2025.csv' })
  file_name: string;

  @OneOf(FORMATS, { example: 'csv' })
  format: (typeof FORMATS)[number];

  @OneOf(IMPORT_STATUSES, {
    example: 'preview',
    description: '`preview`: nothing of it is in an account yet. A preview goes after a day.',
  })
  status: ImportStatus;

  @List(ImportAccountResponse, {
    description: 'What is in which account, or would be; none while there is a question.',
  })
  accounts: ImportAccountResponse[];

  @List(ImportQuestion, {
    from: ({ preview }: ImportRow) => preview?.questions ?? [],
    description: `What nothing in the file decides. While there is a question, the file cannot be accepted. ${ofPreview}`,
  })
  questions: ImportQuestion[];

  @List(ImportProblem, {
    from: ({ preview }: ImportRow) => preview?.problems ?? [],
    description: `What could not be read, or does not add up; at most 100. ${ofPreview}`,
  })
  problems: ImportProblem[];

  @Count({
    minimum: 0,
    example: 1,
    from: ({ preview }: ImportRow) => preview?.problem_count ?? 0,
    description: 'Those included that are not listed.',
  })
  problem_count: number;

  @List(ImportProblem, {
    from: ({ preview }: ImportRow) => preview?.notes ?? [],
    description: `What was rightly left out. ${ofPreview}`,
  })
  notes: ImportProblem[];

  @List(FileAccountResponse, {
    from: ({ preview }: ImportRow) => preview?.file_accounts ?? [],
    description: `The accounts in the file. ${ofPreview}`,
  })
  file_accounts: FileAccountResponse[];

  @Group(ReadAsResponse, {
    from: ({ choices }: ImportRow) => ({ ...NOTHING_SAID, ...choices }),
    description: 'What was said of how the file is read.',
  })
  read_as: ReadAsResponse;

  @Text({
    nullable: true,
    example: 'utf-8',
    from: ({ preview }: ImportRow) => preview?.encoding ?? null,
    description: 'With which it was read.',
  })
  encoding: string | null;

  @Group(ImportColumns, {
    from: ({ preview }: ImportRow) => ({ ...NO_COLUMNS, ...preview?.csv?.columns }),
    description: 'Of CSV: where each column is.',
  })
  columns: ImportColumns;

  @Texts({
    nullable: true,
    example: ['Date', 'Amount', 'Text'],
    from: ({ preview }: ImportRow) => preview?.csv?.header ?? null,
    description: 'Of CSV: the names of the columns.',
  })
  header: string[] | null;

  @List(FileLine, {
    from: ({ preview }: ImportRow) => (preview?.csv?.firstRows ?? []).map((cells) => ({ cells })),
    description: `Of CSV: the first rows as they are in the file. ${ofPreview}`,
  })
  first_rows: FileLine[];

  @Moment({ example: '2026-03-02T06:17:04.211Z' })
  created_at: string;

  @Moment({ nullable: true, example: null })
  accepted_at: string | null;
}

export const toImport = responseOf(ImportResponse);

export class ImportCollection {
  @List(ImportResponse)
  imports: ImportResponse[];

  @Group(Pagination)
  pagination: Pagination;
}
