import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { OWN } from '../accounts/account.entity.js';
import { type DuplicatePair, IS_LISTED, suggestMerges } from '../accounts/duplicates/merge-suggestions.js';
import { rawRows } from '../../database/raw-rows.js';
import { type CalendarDate, daysBetween } from '../../platform/time/calendar-date.js';
import type { DateRange, KnownBalances, UncertainRange } from './net-worth.js';

/**
 * An account with the range of its records and its last balance; all `null` without records. A re-denominated account
 * has one row for each currency.
 */
export interface AccountHistory {
  id: string;
  name: string;
  currency: string | null;
  /** Whether this history is in the account's present currency. */
  isCurrent: boolean;
  /** Whether its last balance counts on later days: it is synced or a person's own, not closed and in its present currency. */
  isCarriedForward: boolean;
  /** Whether the provider lists it now, or a person keeps it. */
  isListed: boolean;
  /** Whether its transactions are, or were, listed with the opposite sign. */
  isReversed: boolean;
  /** Whether a person, and no bank, says what it is worth. */
  isOwn: boolean;
  /** `false`: the person excluded it. */
  isIncluded: boolean;
  /** The day on which the person closed it. */
  closedOn: CalendarDate | null;
  firstDate: CalendarDate | null;
  lastDate: CalendarDate | null;
  factor: 1 | -1 | null;
  balance: number | null;
  uncertain: readonly UncertainRange[];
  /** The days between its first and its last on which the account was in another currency. */
  gaps: readonly DateRange[];
}

/** The days of which the balances of one currency are wanted, ascending. */
interface WantedDays {
  currency: string;
  days: readonly CalendarDate[];
}

/** Balances of one account in one currency on wanted days. */
export interface AccountBalances extends KnownBalances {
  accountId: string;
  currency: string;
}

/** Each account by its own keys. No uncertain range is of two currencies. Raw, because amounts and days are cast. */
const RUNS = 'from balance_spans r where r.user_id = $1 and r.account_id = a.id and r.currency = s.currency';
const ACCOUNTS = `
  select a.id, a.name, coalesce(s.currency, a.currency) as currency,
    coalesce(s.currency = a.currency, true) as "isCurrent",
    a.status = 'active' and (a.connection_id is not null or a.provider = '${OWN}') and a.closed_on is null
      and coalesce(s.currency = a.currency, true) as "isCarriedForward",
    a.provider = '${OWN}' or ${IS_LISTED} as "isListed", a.provider = '${OWN}' as "isOwn",
    a.transactions_reversed_since is not null as "isReversed",
    a.include_in_net_worth as "isIncluded", a.closed_on::text as "closedOn",
    s.first_date::text as "firstDate", s.last_date::text as "lastDate",
    b.flows_factor as factor, (b.end_cash + b.end_non_cash)::float8 as balance,
    (
      select coalesce(json_agg(json_build_array(u.start_date, u.end_date, u.level, u.doubt_minor) order by u.start_date), '[]')
      from uncertain_days u
      where u.user_id = $1 and u.account_id = a.id
        and exists (select 1 ${RUNS} and u.start_date between r.first_date and r.last_date)
    ) as uncertain,
    (
      select coalesce(json_agg(json_build_array(gap.start_date, gap.end_date) order by gap.start_date), '[]')
      from (
        select r.last_date + 1 as start_date, lead(r.first_date) over (order by r.first_date) - 1 as end_date ${RUNS}
      ) gap
      where gap.end_date is not null
    ) as gaps
  from accounts a
  left join connections c on c.user_id = $1 and c.id = a.connection_id
  left join lateral (
    select currency, min(first_date) as first_date, max(last_date) as last_date
    from balance_spans where user_id = $1 and account_id = a.id group by currency
  ) s on true
  left join balances b on b.user_id = $1 and b.account_id = a.id and b.date = s.last_date
  where a.user_id = $1 and ($2::uuid[] is null or a.id = any($2))
  order by a.name, a.id, s.last_date`;

/**
 * The balances of ranges of days, of each run of an account through the primary key: those of an account lie together. A run
 * lacks no day, so its list of balances needs no days. Measured at 20 accounts and ten years by day: with the statement for days far apart net worth
 * costs 3.2 times as much.
 */
const EVERY_DAY = `
  select s.account_id as "accountId", s.currency, s.first_date::text as "firstDate",
    (
      select json_agg(b.end_cash + b.end_non_cash order by b.date) from balances b
      where b.user_id = $1 and b.account_id = s.account_id
        and b.date between greatest(s.first_date, wanted.first_day) and least(s.last_date, wanted.last_day)
    ) as balances
  from balance_spans s
  join unnest($2::text[], $3::date[], $4::date[]) as wanted (currency, first_day, last_day) using (currency)
  where s.user_id = $1 and ($5::uuid[] is null or s.account_id = any($5))`;
/** The balances of days far apart, of all accounts through the index of days: those of a day are next to each other there. */
const SOME_DAYS = `
  select b.account_id as "accountId", b.currency, min(b.date)::text as "firstDate",
    json_object_agg(b.date, b.end_cash + b.end_non_cash) as balances
  from balances b
  where b.user_id = $1 and b.currency = any($2) and b.date = any($3::date[])
    and ($4::uuid[] is null or b.account_id = any($4))
  group by b.account_id, b.currency`;

/** Reads in the caller's transaction. */
@Injectable()
export class NetWorthRepository {
  constructor(private readonly em: EntityManager) {}

  /** @param ids only these; absent: all */
  accounts(userId: string, ids?: readonly string[]): Promise<AccountHistory[]> {
    return rawRows<AccountHistory>(this.em, ACCOUNTS, [userId, ids ?? null]);
  }

  /** Pairs that the person has not decided about. */
  async possibleDuplicates(userId: string): Promise<DuplicatePair[]> {
    const suggestions = await suggestMerges(this.em, userId);
    return suggestions.map(({ disconnected, replacement }) => ({
      disconnectedId: disconnected.id,
      replacementId: replacement.id,
    }));
  }

  /**
   * The balances of all accounts of each currency, also of those that do not count. They may be of further days, which
   * another currency wants.
   *
   * @param wanted each currency, with at least one day
   * @param only these accounts; `null`: all
   */
  balances(userId: string, wanted: readonly WantedDays[], only: readonly string[] | null): Promise<AccountBalances[]> {
    const currencies = wanted.map(({ currency }) => currency);
    const ends = wanted.map(({ days }) => ({ first: days[0]!, last: days.at(-1)! }));
    if (wanted.every(({ days }, i) => daysBetween(ends[i]!.first, ends[i]!.last) === days.length - 1)) {
      const values = [userId, currencies, ends.map(({ first }) => first), ends.map(({ last }) => last), only];
      return rawRows<AccountBalances>(this.em, EVERY_DAY, values);
    }
    const days = [...new Set(wanted.flatMap(({ days }) => days))];
    return rawRows<AccountBalances>(this.em, SOME_DAYS, [userId, currencies, days, only]);
  }
}
