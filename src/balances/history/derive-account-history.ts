import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { loadLedger } from '../../accounts/load-ledger.js';
import { deriveInSteps } from '../../balance-engine/derive-history.js';
import { currencyCode } from '../../money/currency.js';
import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';
import type { RestatementReason } from '../versions/restatement-reason.js';
import { inSlices } from '../../time/work-slices.js';
import { lastDayOf } from './last-day.js';
import { endHistory } from './end-history.js';
import { findReDenomination } from './re-denomination.js';
import { writeCertainty } from './write-certainty.js';
import { writeHistory } from './write-history.js';

/**
 * Derives an account's history from all stored facts and writes the differences. An account whose currency has no minor
 * unit (a URL, points, unknown) has no history. A change of currency ends one history, which stays as it is, and begins
 * another on the day of the first report. A closed account's history ends on its last day. Call it in the transaction
 * that changed the facts.
 *
 * @param today in the person's timezone: the last day of an account that is still synced
 * @param reasons why the history may differ
 * @returns how many rows were inserted, updated or deleted
 */
export async function deriveAccountHistory(
  em: EntityManager,
  account: Account,
  today: CalendarDate,
  reasons: readonly RestatementReason[],
): Promise<number> {
  const currency = currencyCode(account.currency);
  if (!currency) return 0;
  const reDenomination = await findReDenomination(em, account);
  if (reDenomination && reDenomination.firstDay === null) return 0;
  const until = dayNumber(await lastDayOf(em, account, today));
  const derivation = await inSlices(deriveInSteps(await loadLedger(em, account, until)));
  const derived = derivation?.history ?? null;
  const { closedOn } = account;
  const history = derived && closedOn !== null ? endHistory(derived, dayNumber(closedOn)) : derived;
  const since = reDenomination?.firstDay ?? null;
  await writeCertainty(em, account, history, since);
  return writeHistory(em, account, currency, history, since, reasons);
}
