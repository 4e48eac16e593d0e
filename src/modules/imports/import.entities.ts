import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import {
  BytesColumn,
  type CalendarDate,
  CountColumn,
  DayColumn,
  IdColumn,
  JsonColumn,
  MomentColumn,
  type RowCounts,
  type Standing,
  TextColumn,
  UserRow,
  UserTable,
} from '../../kit.js';
import type { CsvPreview, FileChoices, FileFormat, FileProblem, FileQuestion } from './files/statement-file.js';

export const IMPORT_STATUSES = ['preview', 'accepted'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** An account of a file, by its place, and where it goes. */
export interface Target {
  file_account: number;
  account_id: string;
}

/** What a person has said of a file. */
export interface ImportChoices extends FileChoices {
  /** With which the file was sent. */
  account_id: string;
  /** Where each account of the file goes; those that are not named go nowhere. */
  accounts?: readonly Target[];
}

/** What reading a file has shown. Stored until the file is accepted. */
export interface ImportPreview {
  encoding: string | null;
  problems: FileProblem[];
  problem_count: number;
  notes: FileProblem[];
  questions: ImportQuestion[];
  csv: CsvPreview | null;
  file_accounts: FileAccountPreview[];
  parts: PartPreview[];
}

/** A question of the file, or where its accounts go. */
export interface ImportQuestion {
  choice: FileQuestion['choice'] | 'accounts';
  message: string;
}

/** An account as the file names it. */
export interface FileAccountPreview {
  place: number;
  identifier: string | null;
  name: string | null;
  kind: string | null;
  currency: string | null;
  rows: number;
}

/** What would become of an account of the file. */
export interface PartPreview extends Target {
  currency: string;
  first_date: CalendarDate | null;
  last_date: CalendarDate | null;
  counts: PartCounts;
  balances: ComparedBalances;
  /** Its first rows. */
  sample: PreviewedSample[];
  /** The first rows of earlier files that would count no longer. */
  superseded: { date: CalendarDate; amount_minor: number; description: string }[];
}

export interface PreviewedSample {
  line: number;
  date: CalendarDate;
  amount_minor: number;
  description: string;
  standing: Standing;
}

export interface PartCounts extends RowCounts {
  found: number;
  doubtful: number | null;
  /** Of the file, beside those that are found; `null`: no longer known. */
  pending: number | null;
  /** Rows of earlier files that would count no longer; `null`: no longer known. */
  superseded: number | null;
}

export interface ComparedBalances {
  stated: number;
  agreeing: number;
  differing: number;
  /** The first of them. */
  differences: { date: CalendarDate; stated_minor: number; known_minor: number }[];
}

/** A file that a person has sent: read and shown, or accepted. */
@UserTable('imports')
export class Import extends UserRow<'imports'> {
  /** Of the file. */
  @TextColumn()
  name: string;

  @TextColumn()
  format: FileFormat;

  @TextColumn()
  status: ImportStatus;

  @JsonColumn()
  choices: ImportChoices;

  /** `null` once it is accepted. */
  @JsonColumn({ nullable: true })
  preview: ImportPreview | null;

  @MomentColumn()
  createdAt: Date;

  @MomentColumn({ nullable: true })
  acceptedAt: Date | null = null;
}

/** The bytes of a file that is not accepted yet. Its id is that of the import. */
@UserTable('import_files')
export class ImportFile extends UserRow<'import_files'> {
  @BytesColumn()
  content: Buffer;
}

/** An account of an accepted file. Its id is that of its imported list. */
@UserTable('import_parts')
export class ImportPart extends UserRow<'import_parts'> {
  @IdColumn()
  importId: string;

  @IdColumn()
  accountId: string;

  /** From 0. */
  @CountColumn()
  fileAccount: number;

  /** The first of the days of which it lists all transactions; `null`: it lists none. */
  @DayColumn({ nullable: true })
  firstDate: CalendarDate | null;

  @DayColumn({ nullable: true })
  lastDate: CalendarDate | null;

  /** How many balances the file states. */
  @CountColumn()
  balances: number;
}

/** What a person has said of CSV files with the same header. */
@Entity({ tableName: 'import_layouts' })
export class ImportLayout {
  [EntityName]?: 'import_layouts';
  [PrimaryKeyProp]?: ['userId', 'header'];

  @IdColumn({ primary: true })
  userId: string;

  /** A digest of the header, the encoding and the separator. */
  @TextColumn({ primary: true })
  header: string;

  @JsonColumn()
  choices: ImportChoices;

  @MomentColumn()
  updatedAt: Date;
}
