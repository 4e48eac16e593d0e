import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { loadLedger } from '../../accounts/load-ledger.js';
import { deriveHistory } from '../../balance-engine/derive-history.js';
import { currencyCode } from '../../money/currency.js';
import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';
import { lastDayOf } from './last-day.js';
import { writeHistory } from './write-history.js';

/**
 * Derives an account's history again from everything stored about it and writes what differs. An account in a currency
 * without minor units (a URL, points, nothing known yet) has none. Call it in the transaction that changed the facts.
 *
 * @param today where the person is: the last day of an account that is followed
 * @returns how many rows were inserted, changed or removed
 */
export async function deriveAccountHistory(em: EntityManager, account: Account, today: CalendarDate): Promise<number> {
  const currency = currencyCode(account.currency);
  if (!currency) return writeHistory(em, account, '', null);
  const until = dayNumber(await lastDayOf(em, account, today));
  return writeHistory(em, account, currency, deriveHistory(await loadLedger(em, account, until)));
}
