import { Injectable } from '@nestjs/common';
import type { CalendarDate } from '../../time/calendar-date.js';
import { netWorth, type NetWorthPoint } from './net-worth.js';
import { countedIn, type NetWorthAccount, type NetWorthAccounts } from './net-worth-accounts.js';
import { NetWorthRepository } from './net-worth.repository.js';

/** Net worth in one currency. The API and the pages show the same points. */
export interface NetWorthHistory {
  currency: string;
  /** The accounts of the sums. */
  accounts: readonly NetWorthAccount[];
  points: readonly NetWorthPoint[];
  /** From this day on every balance is known. Earlier sums omit accounts that begin later. */
  knownFrom: CalendarDate;
}

@Injectable()
export class NetWorthService {
  constructor(private readonly repository: NetWorthRepository) {}

  /** @param ids only these; absent: all */
  async accounts(userId: string, ids?: readonly string[]): Promise<NetWorthAccounts> {
    const all = await this.repository.accounts(userId, ids);
    // Mostly every account is listed, so none can be a duplicate of another.
    const mayBeDuplicate = all.some(({ isListed, closedOn }) => !isListed && closedOn === null);
    const duplicates = mayBeDuplicate ? await this.repository.possibleDuplicates(userId) : [];
    return { all, only: ids ? all.map(({ id }) => id) : null, duplicates };
  }

  /**
   * Adds up the accounts of each currency. Currencies are never added to each other.
   *
   * @param daysFrom returns the days to sample, ascending, given the first day with a known balance
   * @returns in the order of the currencies, without those of which no account counts
   */
  async read(
    userId: string,
    currencies: readonly string[],
    of: NetWorthAccounts,
    daysFrom: (firstDay: CalendarDate) => readonly CalendarDate[],
  ): Promise<NetWorthHistory[]> {
    const counted = currencies.flatMap((currency) => {
      const { accounts, leftOut, knownFrom } = countedIn(of, currency);
      const firstDay = accounts.map(({ firstDate }) => firstDate).sort()[0];
      if (firstDay === undefined || knownFrom === null) return [];
      return [{ currency, accounts, leftOut, knownFrom, dates: daysFrom(firstDay) }];
    });
    if (counted.length === 0) return [];
    const sums = await this.repository.sums(userId, counted, of.only);
    return counted.map(({ currency, accounts, knownFrom, dates }) => {
      const followed = accounts.filter(({ isFollowed }) => isFollowed);
      return { currency, accounts, points: netWorth(dates, sums.get(currency) ?? {}, followed), knownFrom };
    });
  }
}
