import { Amount, Day, Flag, Group, Id, List, Moment, OneOf, responseOf, Text } from '../../http/members.js';
import { Pagination } from '../../http/pagination/page.js';

/** Who says it. */
const SOURCES = ['person', 'file'] as const;

const sourceOf = ({ list_id }: StatedRow) => (list_id === null ? 'person' : 'file');

/** A balance that a person or a file states. */
export class StatementResponse {
  @Id({ example: '3c9a105f-8f3b-4c55-9a4e-0c7d0e2b1f6d' })
  id: string;

  @Day({ example: '2026-02-28', description: 'The balance is that of the end of this day.' })
  date: string;

  @Text({ example: 'USD' })
  currency: string;

  @Amount({ example: 61245, description: 'As stated; for a liability, the amount owed.' })
  balance: string;
  balance_cents: number;

  @OneOf(SOURCES, { from: sourceOf, example: 'person', description: '`file`: the balance of an imported list.' })
  source: (typeof SOURCES)[number];

  @Id({ from: 'list_id', nullable: true, example: null, description: 'The imported list that has it.' })
  imported_list_id: string | null;

  @Flag({
    example: true,
    description:
      'Whether the history meets it. On a day on which the bank reports another balance, that one counts unless a ' +
      'statement prevails; of several statements of a day the latest of a person counts.',
  })
  counts: boolean;

  @Flag({ example: false, description: '`true`: you said that it counts, whatever the bank reports.' })
  prevails: boolean;

  @Amount({
    nullable: true,
    example: 61245,
    description:
      'What the transactions, the bank and other statements say of that day without it. `null`: nothing, or the day is ' +
      'not in the history.',
  })
  derived_balance: string | null;
  derived_balance_cents: number | null;

  @Flag({
    nullable: true,
    example: true,
    description: 'Whether the two are equal; `null`: there is nothing to compare.',
  })
  agrees: boolean | null;

  @Moment({ example: '2026-03-02T06:17:04.211Z' })
  created_at: string;
}

export class StatementCollection {
  @List(StatementResponse)
  statements: StatementResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

/** Amounts in minor units and the account's own sign. */
interface StatedRow {
  date: string;
  currency: string;
  /** `null`: a person has stated it. */
  list_id: string | null;
}

export interface StatementRow extends StatedRow {
  id: string;
  balance_minor: number;
  counts: boolean;
  prevails: boolean;
  derived_balance_minor: number | null;
  agrees: boolean | null;
  created_at: Date;
}

export const toStatementResponse: (row: StatementRow) => StatementResponse = responseOf(StatementResponse);

/** What an account by hand is worth from a day on. */
export class ValueResponse {
  @Day({ example: '2026-03-01' })
  date: string;

  @Text({ example: 'USD' })
  currency: string;

  @Amount({ example: 41000000, description: 'For a liability, the amount owed.' })
  value: string;
  value_cents: number;

  @OneOf(SOURCES, { from: sourceOf, example: 'person' })
  source: (typeof SOURCES)[number];

  @Id({ from: 'list_id', nullable: true, example: null, description: 'The imported list that has it.' })
  imported_list_id: string | null;
}

export class ValueCollection {
  @List(ValueResponse)
  values: ValueResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

export interface ValueRow extends StatedRow {
  value_minor: number;
}

export const toValueResponse: (row: ValueRow) => ValueResponse = responseOf(ValueResponse);
