import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IS_LISTED, suggestMerges } from '../../accounts/duplicates/merge-suggestions.js';
import { PreparedStatements } from '../../database/prepared.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { DaySums } from './net-worth.js';

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
  isFollowed: boolean;
  /** Whether the provider lists it now. */
  isListed: boolean;
  /** `false`: the person excluded it. */
  isIncluded: boolean;
  /** The day on which the person closed it. */
  closedOn: CalendarDate | null;
  firstDate: CalendarDate | null;
  lastDate: CalendarDate | null;
  factor: 1 | -1 | null;
  balance: number | null;
  /** Ranges of uncertain days, each with its first and last day. */
  uncertain: readonly (readonly [from: CalendarDate, until: CalendarDate])[];
}

/** Two possible duplicates. */
export interface PossibleDuplicate {
  disconnectedId: string;
  replacementId: string;
}

/** The days of which the sums of one currency are wanted. */
interface WantedSums {
  currency: string;
  dates: readonly CalendarDate[];
  leftOut: readonly LeftOut[];
}

/** The days on which an account is excluded from all sums. */
export interface LeftOut {
  accountId: string;
  /** From this day on; `null`: all days. */
  from: CalendarDate | null;
}

/** Each account by its own keys, so one plan is right for all people. */
const ACCOUNTS = `
  select a.id, a.name, coalesce(s.currency, a.currency) as currency,
    coalesce(s.currency = a.currency, true) as "isCurrent",
    a.status = 'active' and a.connection_id is not null and a.closed_on is null
      and coalesce(s.currency = a.currency, true) as "isFollowed",
    ${IS_LISTED} as "isListed",
    a.include_in_net_worth as "isIncluded", a.closed_on::text as "closedOn",
    s.first_date::text as "firstDate", s.last_date::text as "lastDate",
    b.flows_factor as factor, (b.end_cash + b.end_non_cash)::float8 as balance,
    (
      select coalesce(json_agg(json_build_array(u.start_date, u.end_date) order by u.start_date), '[]')
      from uncertain_days u
      where u.user_id = $1 and u.account_id = a.id and u.start_date between s.first_date and s.last_date
    ) as uncertain
  from accounts a
  left join connections c on c.user_id = $1 and c.id = a.connection_id
  left join balance_spans s on s.user_id = $1 and s.account_id = a.id
  left join balances b on b.user_id = $1 and b.account_id = a.id and b.date = s.last_date
  where a.user_id = $1`;
const IN_ORDER = 'order by a.name, a.id, s.last_date';
const ALL_ACCOUNTS = { name: 'net-worth-accounts', text: `${ACCOUNTS} ${IN_ORDER}` };
const SOME_ACCOUNTS = {
  name: 'net-worth-some-accounts',
  text: `${ACCOUNTS} and a.id = any($2::uuid[]) ${IN_ORDER}`,
};

/** JSON is read much faster than a row for each day. */
const sumsWhere = (isCounted: string) => `
  select currency, factor, json_object_agg(date, sum) as sums from (
    select b.currency, b.flows_factor as factor, b.date, sum(b.end_cash + b.end_non_cash) as sum
    from balances b
    where b.user_id = $1 and b.date = any($2::date[]) and b.currency = any($3) and ${isCounted}
    group by b.currency, b.flows_factor, b.date
  ) of_day
  group by currency, factor`;
const ALL_SUMS = { name: 'net-worth-sums', text: sumsWhere('true') };
const SOME_SUMS = {
  name: 'net-worth-some-sums',
  text: sumsWhere(`($4::uuid[] is null or b.account_id = any($4)) and not exists (
    select 1 from unnest($5::text[], $6::uuid[], $7::date[]) as left_out (currency, account_id, day)
    where left_out.currency = b.currency and left_out.account_id = b.account_id and b.date >= left_out.day
  )`),
};

@Injectable()
export class NetWorthRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly prepared: PreparedStatements,
  ) {}

  accounts(userId: string, ids?: readonly string[]): Promise<AccountHistory[]> {
    return ids
      ? this.prepared.query<AccountHistory>(SOME_ACCOUNTS, [userId, ids])
      : this.prepared.query<AccountHistory>(ALL_ACCOUNTS, [userId]);
  }

  /** Pairs that the person has not decided about. */
  async possibleDuplicates(userId: string): Promise<PossibleDuplicate[]> {
    const suggestions = await suggestMerges(this.em, userId);
    return suggestions.map(({ disconnected, replacement }) => ({
      disconnectedId: disconnected.id,
      replacementId: replacement.id,
    }));
  }

  /**
   * All currencies in one scan, so a currency may have sums of days that only another one wants.
   *
   * @param only these accounts; `null`: all
   */
  async sums(
    userId: string,
    wanted: readonly WantedSums[],
    only: readonly string[] | null,
  ): Promise<Map<string, DaySums>> {
    const leftOut = wanted.flatMap(({ currency, leftOut }) => leftOut.map((one) => ({ currency, ...one })));
    const days = [...new Set(wanted.flatMap(({ dates }) => dates))];
    const values = [userId, days, wanted.map(({ currency }) => currency)];
    const rows =
      only === null && leftOut.length === 0
        ? await this.prepared.query<SumsRow>(ALL_SUMS, values)
        : await this.prepared.query<SumsRow>(SOME_SUMS, [...values, only, ...columnsOf(leftOut)]);
    const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
    return new Map(
      [...byCurrency].map(([currency, rows]) => [
        currency,
        Object.fromEntries(rows.map((row) => [row.factor, row.sums])),
      ]),
    );
  }
}

interface SumsRow {
  currency: string;
  factor: 1 | -1;
  sums: Record<CalendarDate, number>;
}

function columnsOf(leftOut: readonly (LeftOut & { currency: string })[]): string[][] {
  return [
    leftOut.map(({ currency }) => currency),
    leftOut.map(({ accountId }) => accountId),
    leftOut.map(({ from }) => from ?? '-infinity'),
  ];
}
