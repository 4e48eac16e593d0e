import { ApiProperty } from '@nestjs/swagger';
import { Pagination, pagination, type PageQuery } from '../../http/pagination/page.js';
import { amountText } from '../../money/currency-text.js';
import { AccountReference } from '../account-reference.response.js';

/** One position of an account's newest snapshot. */
export class HoldingResponse {
  @ApiProperty({ type: AccountReference })
  account: AccountReference;

  @ApiProperty({ format: 'date', example: '2026-03-02', description: 'The day of the snapshot.' })
  date: string;

  @ApiProperty({ type: String, nullable: true, example: 'VTI', description: '`null`: not reported.' })
  symbol: string | null;

  @ApiProperty({ example: 'Total Stock Market ETF' })
  name: string;

  @ApiProperty({ example: '12.3456', description: 'Exact decimal text; negative = sold short.' })
  quantity: string;

  @ApiProperty({ example: 'USD' })
  currency: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '280.0009',
    description: 'Of one unit: exact decimal text in `currency`; `null`: the provider does not report it.',
  })
  price: string | null;

  @ApiProperty({ example: '$3,456.78', description: 'What the whole position is worth.' })
  value: string;

  @ApiProperty({ type: 'integer', example: 345678, description: 'In minor units.' })
  value_cents: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '$2,900.00',
    description: 'What the whole position cost; `null` where the provider does not say it clearly.',
  })
  cost_basis: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 290000, description: 'In minor units.' })
  cost_basis_cents: number | null;

  @ApiProperty({ example: false, description: 'Listed as a holding, but cash: a money-market fund, for example.' })
  cash_equivalent: boolean;
}

/** The total value of all positions of the filter in one currency. */
class HoldingTotal {
  @ApiProperty({ example: 'USD' })
  currency: string;

  @ApiProperty({ example: '$18,220.15' })
  value: string;

  @ApiProperty({ type: 'integer', example: 1822015, description: 'In minor units.' })
  value_cents: number;
}

/** What the provider says that all positions of an account are worth together. */
class ReportedTotal {
  @ApiProperty({ type: AccountReference })
  account: AccountReference;

  @ApiProperty({ format: 'date', example: '2026-03-02', description: 'The day of the snapshot.' })
  date: string;

  @ApiProperty({ example: 'EUR', description: 'In which the provider has converted all positions.' })
  currency: string;

  @ApiProperty({ example: '€3,187.41' })
  reported_total: string;

  @ApiProperty({ type: 'integer', example: 318741, description: 'In minor units.' })
  reported_total_cents: number;
}

export class HoldingCollection {
  @ApiProperty({ type: [HoldingResponse] })
  holdings: HoldingResponse[];

  @ApiProperty({
    type: [HoldingTotal],
    description: 'Of all pages together, one per currency; currencies are never added up.',
  })
  totals: HoldingTotal[];

  @ApiProperty({
    type: [ReportedTotal],
    description:
      'The total of each account of the filter as its provider reports it, converted at its own rates. Accounts without one are not listed.',
  })
  reported_totals: ReportedTotal[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}

/** A row of the list query. Amounts in minor units. */
export interface HoldingRow extends Omit<
  HoldingResponse,
  'account' | 'value' | 'value_cents' | 'cost_basis' | 'cost_basis_cents'
> {
  account_id: string;
  account_name: string;
  value_minor: number;
  cost_basis_minor: number | null;
}

export interface HoldingTotalRow {
  currency: string;
  value_minor: number;
  positions: number;
}

export interface ReportedTotalRow {
  account_id: string;
  account_name: string;
  date: string;
  currency: string;
  value_minor: number;
}

/** A page of the list. */
export interface HoldingPage {
  rows: HoldingRow[];
  totals: HoldingTotalRow[];
  reportedTotals: ReportedTotalRow[];
  totalCount: number;
}

export function toHoldingCollection(page: HoldingPage, query: PageQuery): HoldingCollection {
  return {
    holdings: page.rows.map(toHoldingResponse),
    totals: page.totals.map(toHoldingTotal),
    reported_totals: page.reportedTotals.map(toReportedTotal),
    pagination: pagination(query, page.totalCount),
  };
}

export function toHoldingResponse(row: HoldingRow): HoldingResponse {
  const { currency, cost_basis_minor: cost } = row;
  return {
    account: { id: row.account_id, name: row.account_name },
    date: row.date,
    symbol: row.symbol,
    name: row.name,
    quantity: row.quantity,
    currency,
    price: row.price,
    value: amountText(row.value_minor, currency),
    value_cents: row.value_minor,
    cost_basis: cost === null ? null : amountText(cost, currency),
    cost_basis_cents: cost,
    cash_equivalent: row.cash_equivalent,
  };
}

function toHoldingTotal({ currency, value_minor: value }: HoldingTotalRow): HoldingTotal {
  return { currency, value: amountText(value, currency), value_cents: value };
}

function toReportedTotal({ account_id, account_name, date, currency, value_minor }: ReportedTotalRow): ReportedTotal {
  return {
    account: { id: account_id, name: account_name },
    date,
    currency,
    reported_total: amountText(value_minor, currency),
    reported_total_cents: value_minor,
  };
}
