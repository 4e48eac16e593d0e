import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Prune } from '../../platform/module.js';
import type { Account } from './account.entity.js';

type Tables = InferClassEntityDB<typeof Account>;

/**
 * Folds old reports that repeat the one before. Of equal reports in a row the first and the last keep their rows, and the
 * first stores the times of the others. Nothing is lost: the view `reports`, from which histories are derived, has the same
 * rows as before. The newest report of an account is never folded.
 *
 * @returns how many rows were removed
 */
export const foldReports: Prune = async (em, userId, before) => {
  const accounts = em.getKysely<Tables>().selectFrom('accounts').select('id').where('user_id', '=', userId);
  const rows = await accounts.orderBy('id').execute();
  let folded = 0;
  for (const { id } of rows) folded += await em.transactional((em) => foldAccount(em, userId, id, before));
  return folded;
};

async function foldAccount(em: EntityManager, userId: string, accountId: string, before: Date): Promise<number> {
  const kysely = em.getKysely<Tables>();
  // A locked account is being derived, so its reports are folded the next night.
  const locked = await kysely
    .selectFrom('accounts')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!locked) return 0;
  // Raw, for named windows and rows compared as text.
  const { numAffectedRows } = await sql`
    with old as (
      select o.*, row(currency, balance_minor, available_minor, balance_date is null, pending_minor, has_holdings,
        holdings_total_minor, holdings_total_currency)::text as figures
      from observations o
      where user_id = ${userId} and account_id = ${accountId} and observed_at < ${before}
        and observed_at < (
          select max(observed_at) from observations where user_id = ${userId} and account_id = ${accountId}
        )
    ), alike as (
      select *, figures = lag(figures) over moments or figures = lead(figures) over moments as is_alike
      from old window moments as (order by observed_at, number)
    ), compared as (
      select *, row(figures, case when is_alike and has_holdings then (
        select md5(string_agg(row(external_id, symbol, name, quantity, price, value_minor, currency, cost_basis_minor,
          cash_equivalent)::text, ' ' order by external_id))
        from holdings h
        where h.user_id = ${userId} and h.account_id = ${accountId} and h.report_number = alike.number
      ) end)::text as content
      from alike
    ), marked as (
      select *, (content = lag(content) over moments and content = lead(content) over moments) is true as is_between
      from compared window moments as (order by observed_at, number)
    ), runs as (
      select *, sum((not is_between)::integer) over (order by observed_at, number) as run from marked
    ), repeats as (
      select run, observed_at, day, balance_date from runs where is_between
      union all
      select run, again.* from runs, unnest(repeated_at, repeated_days, repeated_balance_dates) again where is_between
    ), folded as (
      select run, array_agg(observed_at order by observed_at) as at, array_agg(day order by observed_at) as days,
        array_agg(balance_date order by observed_at) as dates
      from repeats group by run
    ), kept as (
      update observations o set
        repeated_at = coalesce(o.repeated_at, '{}') || folded.at,
        repeated_days = coalesce(o.repeated_days, '{}') || folded.days,
        repeated_balance_dates = coalesce(o.repeated_balance_dates, '{}') || folded.dates
      from folded join runs using (run)
      where not is_between and o.user_id = ${userId} and o.account_id = ${accountId} and o.number = runs.number
    )
    delete from observations o using runs
    where is_between and o.user_id = ${userId} and o.account_id = ${accountId} and o.number = runs.number
  `.execute(kysely);
  return Number(numAffectedRows);
}
