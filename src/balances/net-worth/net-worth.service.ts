import { Injectable } from '@nestjs/common';
import type { CalendarDate } from '../../time/calendar-date.js';
import { netWorth, type NetWorthPoint } from './net-worth.js';
import { type HistoryCoverage, hasHistory } from './net-worth-accounts.js';
import { type AccountHistory, NetWorthRepository } from './net-worth.repository.js';

/** Net worth in one currency. The API and the pages show the same points. */
export interface NetWorthHistory {
  currency: string;
  /** The accounts that are added up. */
  accounts: readonly HistoryCoverage[];
  points: readonly NetWorthPoint[];
  /** From this day on the balance of every account is known. Before it the sums lack those that begin later. */
  knownFrom: CalendarDate;
}

@Injectable()
export class NetWorthService {
  constructor(private readonly repository: NetWorthRepository) {}

  /** Every account of a person, also those that no sum includes. */
  accounts(userId: string): Promise<AccountHistory[]> {
    return this.repository.accounts(userId);
  }

  /**
   * Adds up the accounts of one currency. Currencies are never added to each other.
   *
   * @param daysFrom the days to look at, ascending, given the first day of which any balance is known
   * @returns `null` when no account of the currency has a history
   */
  async read(
    userId: string,
    currency: string,
    accounts: readonly AccountHistory[],
    daysFrom: (firstDay: CalendarDate) => readonly CalendarDate[],
  ): Promise<NetWorthHistory | null> {
    const counted = accounts.filter(hasHistory).filter((account) => account.currency === currency);
    const firstDays = counted.map(({ firstDate }) => firstDate).sort();
    const [firstDay, knownFrom] = [firstDays[0], firstDays.at(-1)];
    if (firstDay === undefined || knownFrom === undefined) return null;
    const days = daysFrom(firstDay);
    const sums = await this.repository.sums(userId, currency, days);
    const followed = counted.filter(({ isFollowed }) => isFollowed);
    return { currency, accounts: counted, points: netWorth(days, sums, followed), knownFrom };
  }
}
