import { Amount, Day, Flag, Group, List, responseOf, Text } from '../../http/members.js';
import { Pagination, pagination, type PageQuery } from '../../http/pagination/page.js';
import { AccountReference } from '../accounts/account-reference.response.js';

/** One position of an account's newest snapshot. */
export class HoldingResponse {
  @Group(AccountReference)
  account: AccountReference;

  @Day({ example: '2026-03-02', description: 'The day of the snapshot.' })
  date: string;

  @Text({ nullable: true, example: 'VTI', description: '`null`: not reported.' })
  symbol: string | null;

  @Text({ example: 'Total Stock Market ETF' })
  name: string;

  @Text({ example: '12.3456', description: 'Exact decimal text; negative = sold short.' })
  quantity: string;

  @Text({ example: 'USD' })
  currency: string;

  @Text({
    nullable: true,
    example: '280.0009',
    description: 'Of one unit: exact decimal text in `currency`; `null`: the provider does not report it.',
  })
  price: string | null;

  @Amount({ example: 345678, description: 'What the whole position is worth.' })
  value: string;
  value_cents: number;

  @Amount({
    nullable: true,
    example: 290000,

    description: 'What the whole position cost; `null` where the provider does not say it clearly.',
  })
  cost_basis: string | null;
  cost_basis_cents: number | null;

  @Flag({ example: false, description: 'Listed as a holding, but cash: a money-market fund, for example.' })
  cash_equivalent: boolean;
}

/** The total value of all positions of the filter in one currency. */
class HoldingTotal {
  @Text({ example: 'USD' })
  currency: string;

  @Amount({ example: 1822015 })
  value: string;
  value_cents: number;
}

/** What the provider says that all positions of an account are worth together. */
class ReportedTotal {
  @Group(AccountReference)
  account: AccountReference;

  @Day({ example: '2026-03-02', description: 'The day of the snapshot.' })
  date: string;

  @Text({ example: 'EUR', description: 'In which the provider has converted all positions.' })
  currency: string;

  @Amount({ from: 'value_minor', example: 318741, currency: 'EUR' })
  reported_total: string;
  reported_total_cents: number;
}

export class HoldingCollection {
  @List(HoldingResponse)
  holdings: HoldingResponse[];

  @List(HoldingTotal, {
    description: 'Of all pages together, one per currency; currencies are never added up.',
  })
  totals: HoldingTotal[];

  @List(ReportedTotal, {
    description:
      'The total of each account of the filter as its provider reports it, converted at its own rates. Accounts without one are not listed.',
  })
  reported_totals: ReportedTotal[];

  @Group(Pagination)
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

export const toHoldingResponse: (row: HoldingRow) => HoldingResponse = responseOf(HoldingResponse);
const toHoldingTotal = responseOf(HoldingTotal);
const toReportedTotal = responseOf(ReportedTotal);

export function toHoldingCollection(page: HoldingPage, query: PageQuery): HoldingCollection {
  return {
    holdings: page.rows.map(toHoldingResponse),
    totals: page.totals.map(toHoldingTotal),
    reported_totals: page.reportedTotals.map(toReportedTotal),
    pagination: pagination(query, page.totalCount),
  };
}
