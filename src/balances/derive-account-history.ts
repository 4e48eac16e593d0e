import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../accounts/account.entity.js';
import { loadLedger } from '../accounts/load-ledger.js';
import { deriveHistory } from '../balance-engine/derive-history.js';
import { currencyCode } from '../money/currency.js';
import { type CalendarDate, dayNumber } from '../time/calendar-date.js';
import { writeHistory } from './write-history.js';

/**
 * Derives an account's history again from everything stored about it and writes what differs. An account in a currency
 * without minor units (a URL, points, nothing known yet) has none. Call it in the transaction that changed the facts.
 *
 * @param today the last day to derive: today where the person is
 * @returns how many rows were inserted, changed or removed
 */
export async function deriveAccountHistory(em: EntityManager, account: Account, today: CalendarDate): Promise<number> {
  const currency = currencyCode(account.currency);
  const history = currency ? deriveHistory(await loadLedger(em, account, dayNumber(today))) : null;
  return writeHistory(em, account, currency ?? '', history);
}
