import { Amount, Count, Day, Flag, Group, Id, List, OneOf, Pagination, responseOf, Text } from '../../kit.js';
import { STANDINGS } from './import.request.js';

export class ImportedRowResponse {
  @Id({ example: '9c2e6d0a-1b7f-4f5a-8c3d-2e4f6a8b0c1d' })
  account_id: string;

  @Count({ minimum: 1, nullable: true, example: 14, description: 'Of the file. `null`: the import is accepted.' })
  line: number | null;

  @Day({ example: '2025-01-02' })
  date: string;

  @Amount({ example: -4_50, description: 'Money out is negative.' })
  amount: string;
  amount_cents: number;

  @Text({ example: 'USD' })
  currency: string;

  @Text({ example: 'BAKERY 0231' })
  description: string;

  @Text({ nullable: true, example: 'Bakery' })
  merchant: string | null;

  @OneOf(STANDINGS, {
    example: 'left_out',
    description:
      '`counted`: it is a transaction of the account. `paired`: another transaction is the same one. `left_out`: the list that owns its day does not have it; it counts once you send `excluded: false` to its transaction.',
  })
  standing: (typeof STANDINGS)[number];

  @Id({
    nullable: true,
    example: null,
    description: 'Its own transaction, or the one that is the same. `null`: of a preview.',
  })
  transaction_id: string | null;

  @Flag({
    nullable: true,
    example: null,
    description: 'Of a preview: it is like no other transaction, but of nearly the amount of one.',
  })
  doubtful: boolean | null;
}

export const toImportedRow = responseOf(ImportedRowResponse);

export class ImportedRowCollection {
  @List(ImportedRowResponse)
  rows: ImportedRowResponse[];

  @Group(Pagination)
  pagination: Pagination;
}
