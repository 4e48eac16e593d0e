import { EntityName, OptionalProps, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import {
  BigColumn,
  DayColumn,
  FlagColumn,
  IdColumn,
  MinorColumn,
  MomentColumn,
  TextColumn,
  UserRow,
  UserTable,
} from '../../database/columns.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** A list of transactions and balances from a file. The later of two owns the days that both cover. */
@UserTable('imported_lists')
export class ImportedList extends UserRow<'imported_lists'> {
  [OptionalProps]?: 'number';

  @IdColumn()
  accountId: string;

  /** Tells which of two is the later one. */
  @BigColumn({ defaultRaw: 'default' })
  number: number;

  /** Of the file. */
  @TextColumn()
  name: string;

  /** The first of the days of which it lists all transactions; `null`: it lists balances only. */
  @DayColumn({ nullable: true })
  firstDate: CalendarDate | null;

  @DayColumn({ nullable: true })
  lastDate: CalendarDate | null;

  @MomentColumn()
  createdAt: Date;
}

/**
 * Whether a row from a list or a person counts. `paired`: another transaction is the same one, and that one counts.
 * `left_out`: the day belongs to the bank's list or to a later one, which does not have it.
 */
export type Standing = 'counted' | 'paired' | 'left_out';

/** A transaction that a list has, or that a person has added. One that counts is a `Transaction`, too, with the same id. */
@Entity({ tableName: 'own_rows' })
export class OwnRow {
  [EntityName]?: 'own_rows';
  [PrimaryKeyProp]?: ['userId', 'accountId', 'id'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  accountId: string;

  @IdColumn({ primary: true })
  id: string;

  /** `null`: a person has added it. */
  @IdColumn({ nullable: true })
  listId: string | null;

  @DayColumn()
  date: CalendarDate;

  /** Money in is positive. */
  @MinorColumn()
  amountMinor: number;

  @TextColumn()
  currency: string;

  @TextColumn()
  description: string;

  @TextColumn({ nullable: true })
  merchant: string | null;

  @TextColumn()
  standing: Standing;

  /** The transaction that is the same one. */
  @IdColumn({ nullable: true })
  pairedWith: string | null;

  @MomentColumn()
  createdAt: Date;
}

/** The balance of the end of a day, as a person or a list states it. */
@UserTable('stated_balances')
export class StatedBalance extends UserRow<'stated_balances'> {
  @IdColumn()
  accountId: string;

  /** `null`: a person has stated it. */
  @IdColumn({ nullable: true })
  listId: string | null;

  @DayColumn()
  date: CalendarDate;

  /** What is owned is positive, and what is owed is negative. */
  @MinorColumn()
  balanceMinor: number;

  @TextColumn()
  currency: string;

  /** Whether it counts on a day on which the bank reported another balance. */
  @FlagColumn()
  prevails = false;

  @MomentColumn()
  createdAt: Date;
}

/** What a person has said of a transaction, whatever is listed. `null`: as it is listed. */
@Entity({ tableName: 'corrections' })
export class Correction {
  [EntityName]?: 'corrections';
  [PrimaryKeyProp]?: ['userId', 'transactionId'];

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn()
  accountId: string;

  @IdColumn({ primary: true })
  transactionId: string;

  @DayColumn({ nullable: true })
  date: CalendarDate | null;

  /** Money in is positive, whatever the sign of the bank. */
  @MinorColumn({ nullable: true })
  amountMinor: number | null;

  /** `true`: it does not count. `false`: it counts, also where the list that owns its day does not have it. */
  @FlagColumn({ nullable: true })
  excluded: boolean | null;

  @TextColumn({ nullable: true })
  note: string | null;

  @MomentColumn()
  createdAt: Date;

  @MomentColumn()
  updatedAt: Date;
}
