import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { DayNumber, Entry, Ledger, ListedDays, Observation, Position, StatedBalance } from '../engine/ledger.js';
import { column, firstAtOrAfter } from '../engine/reports.js';
import { daysOfBank } from '../own-knowledge/place-rows.js';
import { dayNumber } from '../../platform/time/calendar-date.js';
import type { Account } from './account.entity.js';
import { correctedIds } from '../own-knowledge/settle-rows.js';
import { coveredUntil } from '../../platform/time/covered-days.js';

// Raw, since the builder neither casts nor calculates with days. Days and amounts leave PostgreSQL as float8: exact for every
// safe integer, and numbers in JavaScript.

interface ReportRow {
  /** Whether it is in the account's present currency. Amounts are never relabelled. */
  isOwn: boolean;
  observedAt: number;
  /** Of the report whose holdings are its own. */
  number: number;
  day: number;
  balanceMinor: number;
  balanceDay: number | null;
  pendingMinor: number[];
  hasHoldings: boolean;
}

/** A bank that reports another currency for no longer than this, and then the one before again, made a mistake. */
const EXCURSION_DAYS = 31;

/** The facts of an account's history in its present currency. */
interface AccountLedger extends Ledger {
  /** Whether the account was reported in another currency before. That history has ended. */
  isReDenominated: boolean;
}

/** Everything about an account that its history depends on. `until` is a day number. */
export async function loadLedger(em: EntityManager, account: Account, until: DayNumber): Promise<AccountLedger> {
  const versions = await loadVersions(em, account);
  const positions = await loadPositions(em, account);
  const reports = await loadReports(em, account);
  const start = startOfHistory(reports);
  const observations = reports
    .slice(start)
    .filter(({ isOwn }) => isOwn)
    .map(({ hasHoldings, number, observedAt, day, balanceMinor, balanceDay, pendingMinor }): Observation => {
      const holdings = hasHoldings ? (positions.get(number) ?? []) : null;
      return { observedAt, day, balanceMinor, balanceDay, pendingMinor, holdings };
    });
  const entries = listedAtReports(versions, observations);
  const known = await loadOwnKnowledge(em, account);
  const listedOn = coveredUntil(account.covered);
  const completeOn = listedOn === null ? null : dayNumber(listedOn);
  return {
    accountType: account.accountType,
    until,
    completeOn,
    entries,
    observations,
    ...known,
    isReDenominated: start > 0,
  };
}

/**
 * The index of the first report of the present currency's history. It begins after the last reports in another currency.
 * An excursion is skipped: a short time between reports in the account's own currency.
 */
function startOfHistory(reports: readonly ReportRow[]): number {
  let start = 0;
  for (let from = 0, to = 0; from < reports.length; from = to) {
    const { isOwn, day } = reports[from]!;
    while (to < reports.length && reports[to]!.isOwn === isOwn) to++;
    const isExcursion = from > 0 && to < reports.length && reports[to - 1]!.day - day <= EXCURSION_DAYS;
    if (!isOwn && !isExcursion) start = to;
  }
  return start;
}

/**
 * Moves the times of listing to the next report, because no earlier report could include the change. So a transaction that
 * was listed in another currency only between two reports counts as listed all the time.
 */
function listedAtReports(versions: readonly Entry[], observations: readonly Observation[]): Entry[] {
  const at = column(observations, ({ observedAt }) => observedAt);
  const seenAt = (moment: number) => at[firstAtOrAfter(at, moment)] ?? moment;
  return joined(
    versions
      .map((version) => ({
        ...version,
        listedFrom: seenAt(version.listedFrom),
        listedUntil: version.listedUntil === null ? null : seenAt(version.listedUntil),
      }))
      .filter(({ listedFrom, listedUntil }) => listedFrom !== listedUntil),
  );
}

/** A version that ends when an equal one of its transaction begins is continued by it. */
function joined(versions: Entry[]): Entry[] {
  if (versions.every(({ listedUntil }) => listedUntil === null)) return versions;
  const whole: Entry[] = [];
  const ending = new Map<string, Entry>();
  const contentAt = ({ key, day, amountMinor }: Entry, moment: number) => `${key} ${day} ${amountMinor} ${moment}`;
  for (const version of versions.sort((a, b) => a.listedFrom - b.listedFrom)) {
    const before = ending.get(contentAt(version, version.listedFrom));
    if (before) before.listedUntil = version.listedUntil;
    else whole.push(version);
    const entry = before ?? version;
    if (entry.listedUntil !== null) ending.set(contentAt(entry, entry.listedUntil), entry);
  }
  return whole;
}

/**
 * Whether a transaction `t` was relabelled since its version `v`, by an answer in which the whole account was in another
 * currency, and has not been listed again: it was too old when the bank returned to the account's currency.
 */
export const IS_RELABELLED = sql<boolean>`
  t.user_id = v.user_id and t.id = v.transaction_id and t.currency <> v.currency and t.listed_from = v.listed_until
  and exists (
    select 1 from reports r
    where r.user_id = t.user_id and r.account_id = t.account_id and r.currency = t.currency
      and r.observed_at = t.listed_from
  )`;

/**
 * Every version of every posted transaction in the account's own currency. Other currencies have no known rate and are
 * never counted 1:1. What a person says of a transaction holds for all its versions. Excluded are versions that began and
 * ended with the same answer, and those of a merged account's duplicates: no report includes them. A relabelled transaction
 * still counts as it was listed before.
 */
export async function loadVersions(em: EntityManager, account: Account): Promise<Entry[]> {
  const { userId, id, currency } = account;
  const { rows } = await sql<Entry>`
    with ${correctedIds(account)}, said as (
      select distinct on (about.id) about.id, c.date, c.amount_minor, c.excluded
      from about join corrections c on c.user_id = ${userId} and c.transaction_id = about.transaction_id
      where is_open or not exists (select 1 from transactions t where t.user_id = ${userId} and t.id = about.id)
      order by about.id, c.updated_at desc
    )
    select id::text as key, (date - date '1970-01-01')::float8 as day, amount_minor::float8 as "amountMinor",
      has_holders_sign as "hasHoldersSign",
      extract(epoch from listed_from)::float8 * 1000 as "listedFrom",
      extract(epoch from listed_until)::float8 * 1000 as "listedUntil"
    from (
      select id, date, amount_minor, source <> 'bank' or listed_minor is not null as has_holders_sign,
        -- A file or a person knows it as if it had been listed on its day.
        case when source = 'bank' then coalesce(listed_from, first_seen_at) else date::timestamptz end as listed_from,
        null::timestamptz as listed_until
      from transactions
      where user_id = ${userId} and account_id = ${id} and not pending and not excluded and currency = ${currency}
      union all
      select v.transaction_id, coalesce(said.date, v.date), coalesce(said.amount_minor, v.amount_minor),
        said.amount_minor is not null, v.listed_from,
        case when not exists (select 1 from transactions t where ${IS_RELABELLED}) then v.listed_until end
      from transaction_versions v
      left join said on said.id = v.transaction_id
      where v.user_id = ${userId} and v.account_id = ${id} and v.currency = ${currency}
        and v.reason <> 'merged' and v.listed_until > v.listed_from and said.excluded is not true
    ) versions
  `.execute(em.getKysely());
  return rows;
}

/**
 * What documents and people state, and who lists which days; nothing where only the bank says something. The balance of a
 * file's last day may be of a moment within it, and says nothing where other lists have more transactions of that day.
 */
async function loadOwnKnowledge(
  em: EntityManager,
  { userId, id, currency, covered }: Account,
): Promise<Pick<Ledger, 'stated' | 'listedDays'>> {
  const { rows: stated } = await sql<StatedBalance>`
    select id::text as key, (date - date '1970-01-01')::float8 as day, balance_minor::float8 as "balanceMinor", prevails
    from stated_balances s
    where user_id = ${userId} and account_id = ${id} and currency = ${currency} and not exists (
      select 1
      from imported_lists l
      join transactions t on t.user_id = l.user_id and t.account_id = l.account_id and t.date = l.last_date
      where l.user_id = ${userId} and l.id = s.list_id and l.last_date = s.date and not s.prevails
        and not t.pending and not t.excluded and t.currency = s.currency
        and not exists (
          select 1 from own_rows o
          where o.user_id = l.user_id and o.list_id = l.id and t.id in (o.id, o.paired_with)
        )
    )
    order by date, prevails, list_id is null, created_at, id
  `.execute(em.getKysely());
  const { rows: lists } = await sql<ListedDays>`
    select (first_date - date '1970-01-01')::float8 as first, (last_date - date '1970-01-01')::float8 as last,
      false as "isByBank"
    from imported_lists where user_id = ${userId} and account_id = ${id} and first_date is not null
  `.execute(em.getKysely());
  if (stated.length + lists.length === 0) return {};
  const { rows: oldest } = await sql<{ day: DayNumber | null }>`
    select (min(coalesce(listed_date, date)) - date '1970-01-01')::float8 as day from transactions
    where user_id = ${userId} and account_id = ${id} and source = 'bank' and not pending and currency = ${currency}
  `.execute(em.getKysely());
  const byBank = daysOfBank(covered, oldest[0]!.day).map((days) => ({ ...days, isByBank: true }));
  return { stated, listedDays: [...byBank, ...lists] };
}

/** All reports, oldest first. */
async function loadReports(em: EntityManager, { userId, id, currency }: Account): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select number::float8 as number, extract(epoch from observed_at)::float8 * 1000 as "observedAt",
      (day - date '1970-01-01')::float8 as day,
      balance_minor::float8 as "balanceMinor", (balance_date - date '1970-01-01')::float8 as "balanceDay",
      pending_minor::float8[] as "pendingMinor", has_holdings as "hasHoldings", currency = ${currency} as "isOwn"
    from reports
    where user_id = ${userId} and account_id = ${id}
    order by observed_at, number
  `.execute(em.getKysely());
  return rows;
}

/** By the numbers of reports. Money-market funds are cash, and a position in another currency has no known rate. */
async function loadPositions(em: EntityManager, { userId, id, currency }: Account): Promise<Map<number, Position[]>> {
  const { rows } = await sql<Position & { reportNumber: number }>`
    select report_number::float8 as "reportNumber", external_id as key, quantity::float8 as quantity,
      value_minor::float8 as "valueMinor"
    from holdings
    where user_id = ${userId} and account_id = ${id} and not cash_equivalent and currency = ${currency}
    order by report_number, external_id
  `.execute(em.getKysely());
  // Each row has a text of its own for the same few securities.
  const keys = new Map(rows.map(({ key }) => [key, key]));
  const byReport = new Map<number, Position[]>();
  for (const { reportNumber, key, quantity, valueMinor } of rows) {
    const position = { key: keys.get(key)!, quantity, valueMinor };
    const positions = byReport.get(reportNumber);
    if (positions) positions.push(position);
    else byReport.set(reportNumber, [position]);
  }
  return byReport;
}
