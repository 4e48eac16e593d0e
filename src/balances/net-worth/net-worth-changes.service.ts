import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { atOneMoment } from '../../database/one-moment.js';
import { rawRows } from '../../database/raw-rows.js';
import type { Caller } from '../../http/caller.js';
import { addDays, type CalendarDate, dateInTimeZone, earliest, latest } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { HELD } from '../transactions/transactions.repository.js';
import { MONEY_IN_SQL, MONEY_OUT_SQL } from '../record/account-series.repository.js';
import {
  type ComparedAccounts,
  type CountedAccount,
  countedIn,
  countsOn,
  currenciesOf,
  isKnownOver,
  type NetWorthAccounts,
} from './net-worth-accounts.js';
import {
  type AccountChange,
  type Changes,
  totalChanges,
  type TransferCandidate,
  transferredIn,
} from './net-worth-changes.js';
import {
  type NetWorthChangesQuery,
  type NetWorthChangesResponse,
  toChangesResponse,
} from './net-worth-changes.response.js';
import { type NetWorth, NetWorthService, type WantedSums } from './net-worth.service.js';

const USUAL_DAYS = 30;
/** A transfer takes so many days at most: over a long weekend. */
export const TRANSFER_DAYS = 4;

/** What the records of an account say of some days; debts are negative. */
interface Flows {
  accountId: string;
  currency: string;
  firstDate: CalendarDate;
  start: number;
  moneyIn: number;
  moneyOut: number;
  market: number;
  end: number;
}

/**
 * Of each account in one currency and its days, through the primary key: joined with the accounts, all records would be read.
 * The first and the last record are read by themselves, since ordered arrays of all balances cost half as much again; each
 * with a limit, because PostgreSQL may otherwise join all records of the first days with all of the last ones.
 * Raw, for the lateral sums.
 */
const FLOWS = `
  select wanted.account_id as "accountId", wanted.currency, flows.first::text as "firstDate",
    first.start::float8 as start, flows."moneyIn", flows."moneyOut", flows.market, last.end::float8 as end
  from unnest($2::uuid[], $3::text[], $4::date[], $5::date[]) as wanted (account_id, currency, first_day, last_day)
  cross join lateral (
    select min(b.date) as first, max(b.date) as last, ${MONEY_IN_SQL} as "moneyIn", ${MONEY_OUT_SQL} as "moneyOut",
      sum(b.net_market_flows * b.flows_factor)::float8 as market
    from balances b
    where b.user_id = $1 and b.account_id = wanted.account_id and b.currency = wanted.currency
      and b.date between wanted.first_day and wanted.last_day
  ) flows
  cross join lateral (
    select (b.start_cash + b.start_non_cash) * b.flows_factor as start from balances b
    where b.user_id = $1 and b.account_id = wanted.account_id and b.date = flows.first limit 1
  ) first
  cross join lateral (
    select (b.end_cash + b.end_non_cash) * b.flows_factor as end from balances b
    where b.user_id = $1 and b.account_id = wanted.account_id and b.date = flows.last limit 1
  ) last`;

interface TransferRow extends TransferCandidate {
  outDate: CalendarDate;
  inDate: CalendarDate;
}

/**
 * Pairs of posted transactions with opposite amounts in two of the accounts, the nearest in time first, amounts as the holder
 * sees them. What a person has left out moves nothing. Pairs are joined by the stored column where its sign is the holder's,
 * because PostgreSQL has statistics of columns only, and the days of each account are compared with the few that are left.
 * Raw, for the join of one statement with itself.
 */
async function readTransfers(
  em: EntityManager,
  userId: string,
  wanted: readonly WantedAccount[],
): Promise<TransferRow[]> {
  if (wanted.length < 2) return [];
  const amount = wanted.some(({ account }) => account.isReversed) ? HELD : sql`t.amount_minor`;
  const { rows } = await sql<TransferRow>`
    with posted as not materialized (
      select t.id, t.account_id, t.currency, t.date, ${amount} as amount
      from transactions t join accounts a on a.user_id = t.user_id and a.id = t.account_id
      where t.user_id = ${userId} and not t.pending and not t.excluded
        and t.date between ${earliest(...wanted.map(({ period }) => period.from))}::date
          and ${latest(...wanted.map(({ period }) => period.until))}::date
    )
    select o.id as "outId", o.account_id as "outAccountId", o.date::text as "outDate",
      i.id as "inId", i.account_id as "inAccountId", i.date::text as "inDate", o.currency, i.amount::float8 as "amountMinor"
    from posted o
    join posted i on i.currency = o.currency and i.amount = -o.amount and i.account_id <> o.account_id
      and i.date between o.date - ${TRANSFER_DAYS}::integer and o.date + ${TRANSFER_DAYS}::integer
    where o.amount < 0 and i.amount > 0
    order by abs(i.date - o.date), o.date, o.id, i.id
  `.execute(em.getKysely());
  const counts = (id: string, currency: string, day: CalendarDate) =>
    wanted.some(
      ({ account, period }) =>
        account.id === id && account.currency === currency && period.from <= day && day <= lastCounted(account, period),
    );
  return rows.filter(
    ({ outAccountId, outDate, inAccountId, inDate, currency }) =>
      counts(outAccountId, currency, outDate) && counts(inAccountId, currency, inDate),
  );
}

/** The days of the changes of one currency. */
interface Period {
  currency: string;
  from: CalendarDate;
  until: CalendarDate;
}

@Injectable()
export class NetWorthChangesService {
  constructor(
    private readonly em: EntityManager,
    private readonly netWorth: NetWorthService,
    private readonly clock: Clock,
  ) {}

  /** In the form of the API. */
  async report(
    { userId, timeZone }: Pick<Caller, 'userId' | 'timeZone'>,
    query: NetWorthChangesQuery,
  ): Promise<NetWorthChangesResponse> {
    const today = dateInTimeZone(this.clock.now(), timeZone);
    const endDate = earliest(query.end_date ?? today, today);
    const startDate = query.start_date ?? addDays(endDate, 1 - USUAL_DAYS);
    const { changes } = await this.between(userId, startDate, endDate, query.account_id);
    return toChangesResponse({ startDate, endDate, ...changes });
  }

  /** From the start of one day to the end of another. @param ids only these accounts; absent: all */
  between(
    userId: string,
    from: CalendarDate,
    until: CalendarDate,
    ids?: readonly string[],
  ): Promise<{ accounts: NetWorthAccounts; changes: Changes }> {
    return atOneMoment(this.em, async () => {
      const accounts = await this.netWorth.readAccounts(userId, ids);
      const periods = currenciesOf(accounts).map((currency) => ({ currency, from, until }));
      return { accounts, changes: await this.#read(userId, accounts, from > until ? [] : periods) };
    });
  }

  /** Sums, and what changed them from the end of the first day of each line until a day, all as of one moment. */
  readWithSums<Wanted extends ComparedAccounts & { days: readonly CalendarDate[] }>(
    userId: string,
    wanted: WantedSums<Wanted>,
    until: CalendarDate,
  ): Promise<NetWorth<Wanted> & { changes: Changes }> {
    return atOneMoment(this.em, async () => {
      const sums = await this.netWorth.read(userId, wanted);
      const periods = sums.histories.map(({ currency, from }) => ({ currency, from: addDays(from, 1), until }));
      return { ...sums, changes: await this.#read(userId, sums.accounts, periods) };
    });
  }

  async #read(userId: string, of: NetWorthAccounts, periods: readonly Period[]): Promise<Changes> {
    const all = periods.flatMap((period) => countedIn(of, period.currency).map((account) => ({ account, period })));
    const wanted = all.filter(({ account, period }) => countsWithin(account, period));
    const flows = await rawRows<Flows>(this.em, FLOWS, valuesOf(userId, wanted));
    const accounts = wanted.map(({ account, period }) => {
      const own = flows.find(({ accountId, currency }) => accountId === account.id && currency === account.currency);
      return changeOf(account, period, own);
    });
    const candidates = await readTransfers(this.em, userId, all);
    return { currencies: totalChanges(accounts, transferredIn(candidates, accounts)), accounts };
  }
}

interface WantedAccount {
  account: CountedAccount;
  period: Period;
}

/** The person, and the accounts with their currencies, first and last days. */
function valuesOf(userId: string, wanted: readonly WantedAccount[]): unknown[] {
  return [
    userId,
    wanted.map(({ account }) => account.id),
    wanted.map(({ account }) => account.currency),
    wanted.map(({ period }) => period.from),
    wanted.map(({ account, period }) => lastCounted(account, period)),
  ];
}

/** Of two possible duplicates the older one counts until the newer begins. */
function lastCounted({ leftOutFrom }: CountedAccount, { until }: Period): CalendarDate {
  return leftOutFrom === null ? until : earliest(until, addDays(leftOutFrom, -1));
}

function countsWithin(account: CountedAccount, { from, until }: Period) {
  const { firstDate, lastDate, isCarriedForward, leftOutFrom, lacked } = account;
  if (firstDate > until || (!isCarriedForward && lastDate < from)) return false;
  return (
    (leftOutFrom === null || leftOutFrom > from) && !lacked.some(([first, last]) => first <= from && last >= until)
  );
}

function changeOf(account: CountedAccount, period: Period, flows: Flows | undefined): AccountChange {
  const { id, name, currency, factor, firstDate, balance, isOwn } = account;
  const isCompared = isKnownOver(account, addDays(period.from, -1), period.until);
  // Without a record its last balance is carried forward.
  const {
    start,
    moneyIn,
    moneyOut,
    market,
    end,
    firstDate: first,
  } = flows ?? {
    start: balance * factor,
    moneyIn: 0,
    moneyOut: 0,
    market: 0,
    end: balance * factor,
    firstDate: period.from,
  };
  // The newer of two possible duplicates takes over what the older one held.
  const startMinor = isCompared && first > period.from ? 0 : start;
  const endMinor = countsOn(account, period.until) || !isCompared ? end : 0;
  const unexplainedMinor = endMinor - startMinor - moneyIn + moneyOut - market;
  return {
    accountId: id,
    accountName: name,
    currency,
    isCompared,
    since: latest(period.from, firstDate),
    startMinor,
    moneyInMinor: moneyIn,
    moneyOutMinor: moneyOut,
    marketMinor: market,
    unexplainedMinor,
    valuesGivenMinor: isOwn ? unexplainedMinor : 0,
    endMinor,
  };
}
