import { EntityRepository, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { type ExpressionBuilder, type Kysely } from 'kysely';
import { atOneMoment } from '../../database/one-moment.js';
import { offsetOf } from '../../http/pagination/page.js';
import type { Account } from '../accounts/account.entity.js';
import type { BalanceReport } from '../accounts/balance-report.entity.js';
import type { ListHoldingsQuery } from '../accounts/account-filter.query.js';
import type { Holding } from './holding.entity.js';
import type { HoldingPage, HoldingRow, ReportedTotalRow } from './holding.response.js';

type Tables = InferClassEntityDB<typeof Account | typeof BalanceReport | typeof Holding>;

/** Holdings. Amounts are cast, because the driver gives them as text. */
export class HoldingsRepository extends EntityRepository<Holding> {
  /**
   * The newest snapshot of each account, most valuable position first. An empty snapshot means that everything was
   * sold.
   */
  listPage(userId: string, query: ListHoldingsQuery): Promise<HoldingPage> {
    return atOneMoment(this.em, async (em) => {
      const kysely = em.getKysely<Tables>();
      const newest = newestPositions(kysely, userId, query);
      const totals = await newest
        .select('h.currency')
        .select((eb) => [
          eb.cast<number>(eb.fn.sum('h.value_minor'), 'float8').as('value_minor'),
          eb.cast<number>(eb.fn.countAll(), 'float8').as('positions'),
        ])
        .groupBy('h.currency')
        .orderBy('h.currency')
        .execute();
      const rows = await newest
        .select(positionColumns)
        .orderBy('a.name')
        .orderBy('h.account_id')
        .orderBy('h.value_minor', 'desc')
        .orderBy('h.external_id')
        .limit(query.per_page)
        .offset(offsetOf(query))
        .execute();
      const reportedTotals = await reportedTotalsOf(kysely, userId, query);
      return { rows, totals, reportedTotals, totalCount: totals.reduce((sum, { positions }) => sum + positions, 0) };
    });
  }

  /** The newest snapshot of one account. */
  listOfAccount(userId: string, accountId: string): Promise<HoldingRow[]> {
    return newestPositions(this.em.getKysely<Tables>(), userId, { account_id: [accountId] })
      .select(positionColumns)
      .orderBy('h.value_minor', 'desc')
      .orderBy('h.external_id')
      .execute();
  }
}

type HoldingFilter = Partial<Pick<ListHoldingsQuery, 'account_id' | 'currency' | 'date'>>;

/** The newest report with holdings of each account. */
function newestReports(kysely: Kysely<Tables>, userId: string, { account_id, date }: HoldingFilter) {
  return kysely
    .selectFrom('accounts as a')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('observations as o')
          .select(['o.number', 'o.day', 'o.holdings_total_minor', 'o.holdings_total_currency'])
          .where('o.user_id', '=', userId)
          .whereRef('o.account_id', '=', 'a.id')
          .where('o.has_holdings', '=', true)
          .$if(date !== undefined, (reports) => reports.where('o.day', '<=', date!))
          .orderBy('o.observed_at', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .where('a.user_id', '=', userId)
    .$if(account_id !== undefined, (held) => held.where((eb) => eb('a.id', '=', eb.fn.any(eb.val(account_id!)))));
}

function newestPositions(kysely: Kysely<Tables>, userId: string, filter: HoldingFilter) {
  const { currency } = filter;
  return newestReports(kysely, userId, filter)
    .innerJoin('holdings as h', (join) =>
      join
        .on('h.user_id', '=', userId)
        .onRef('h.account_id', '=', 'a.id')
        .onRef('h.report_number', '=', 'newest.number'),
    )
    .$if(currency !== undefined, (held) => held.where((eb) => eb('h.currency', '=', eb.fn.any(eb.val(currency!)))));
}

/** The totals that providers report, in the currencies of the filter. */
async function reportedTotalsOf(
  kysely: Kysely<Tables>,
  userId: string,
  filter: HoldingFilter,
): Promise<ReportedTotalRow[]> {
  const rows = await newestReports(kysely, userId, filter)
    .select(['a.id as account_id', 'a.name as account_name', 'newest.day as date'])
    .select('newest.holdings_total_currency as currency')
    .select((eb) => eb.cast<number>('newest.holdings_total_minor', 'float8').as('value_minor'))
    .where('newest.holdings_total_minor', 'is not', null)
    .orderBy('a.name')
    .orderBy('a.id')
    .execute();
  return rows.flatMap(({ currency, ...row }) =>
    currency !== null && (filter.currency?.includes(currency) ?? true) ? [{ ...row, currency }] : [],
  );
}

interface Joined {
  a: Tables['accounts'];
  h: Tables['holdings'];
  newest: Pick<Tables['observations'], 'day'>;
}

function positionColumns(eb: ExpressionBuilder<Joined, keyof Joined>) {
  return [
    'h.account_id',
    'a.name as account_name',
    'newest.day as date',
    'h.symbol',
    'h.name',
    'h.quantity',
    'h.currency',
    'h.price',
    eb.cast<number>('h.value_minor', 'float8').as('value_minor'),
    eb.cast<number | null>('h.cost_basis_minor', 'float8').as('cost_basis_minor'),
    'h.cash_equivalent',
  ] as const;
}
