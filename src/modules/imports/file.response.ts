import { Count, Flag, OneOf, Text, Texts } from '../../kit.js';
import { DATE_ORDERS, DECIMAL_SIGNS, SIGNS } from './import.request.js';

const ASKED = ['date_order', 'decimal', 'sign', 'columns', 'accounts'] as const;

// What is shown of a file, besides what it would do in the accounts.

export class ImportProblem {
  @Count({ minimum: 1, nullable: true, example: 12, description: 'Of the file, from 1. `null`: of the whole file.' })
  line: number | null;

  @Text({ example: 'The row has no amount.' })
  message: string;
}

export class ImportQuestion {
  @OneOf(ASKED, { example: 'date_order', description: 'What to say in `PATCH`.' })
  choice: (typeof ASKED)[number];

  @Text({
    example: '"03/04/2025" is 3 April 2025 with the day first, or 4 March 2025 with the month first. Which is it?',
  })
  message: string;
}

export class FileAccountResponse {
  @Count({ minimum: 0, example: 0 })
  place: number;

  @Text({ nullable: true, example: 'DE02 1203 0000 0000 2020 51', description: 'Its number, as the file has it.' })
  identifier: string | null;

  @Text({ nullable: true, example: 'Girokonto' })
  name: string | null;

  @Text({ nullable: true, example: 'checking', description: 'As the file has it.' })
  kind: string | null;

  @Text({ nullable: true, example: 'EUR' })
  currency: string | null;

  @Count({ minimum: 0, example: 240, description: 'Pending ones included.' })
  rows: number;
}

export class FileLine {
  @Texts({ example: ['2025-01-02', '-4.50', 'Bakery'] })
  cells: string[];
}

export class ReadAsResponse {
  @OneOf(DATE_ORDERS, { nullable: true, example: 'dmy' })
  date_order: (typeof DATE_ORDERS)[number] | null;

  @OneOf(DECIMAL_SIGNS, { nullable: true, example: null })
  decimal: (typeof DECIMAL_SIGNS)[number] | null;

  @OneOf(SIGNS, { nullable: true, example: null })
  sign: (typeof SIGNS)[number] | null;

  @Text({ nullable: true, example: null })
  encoding: string | null;

  @Flag({ nullable: true, example: null })
  header: boolean | null;
}

export const NOTHING_SAID = { date_order: null, decimal: null, sign: null, encoding: null, header: null };

/** The place of each column of a CSV file, from 0; `null`: it has none. */
export class ImportColumns {
  @Count({ minimum: 0, nullable: true, example: 0 })
  date: number | null;

  @Count({ minimum: 0, nullable: true, example: 1 })
  amount: number | null;

  @Count({ minimum: 0, nullable: true, example: null })
  debit: number | null;

  @Count({ minimum: 0, nullable: true, example: null })
  credit: number | null;

  @Count({ minimum: 0, nullable: true, example: null, description: 'Whether money goes in or out.' })
  direction: number | null;

  @Count({ minimum: 0, nullable: true, example: 2 })
  text: number | null;

  @Count({ minimum: 0, nullable: true, example: null })
  payee: number | null;

  @Count({ minimum: 0, nullable: true, example: null, description: 'After each transaction.' })
  balance: number | null;

  @Count({ minimum: 0, nullable: true, example: null })
  fee: number | null;

  @Count({ minimum: 0, nullable: true, example: null })
  currency: number | null;

  @Count({ minimum: 0, nullable: true, example: null })
  account: number | null;

  @Count({ minimum: 0, nullable: true, example: null })
  id: number | null;

  @Count({ minimum: 0, nullable: true, example: null })
  status: number | null;
}
