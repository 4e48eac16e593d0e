import { randomUUID } from 'node:crypto';
import { TransactionPropagation } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Account } from '../accounts/account.entity.js';
import { ACCOUNT_TYPES, type AccountType } from '../balance-engine/ledger.js';
import { deriveAccountHistory } from '../balances/history/derive-account-history.js';
import { historyReaches } from '../balances/history/history-reaches.js';
import type { SnapshotAccount, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { addDays, type CalendarDate } from '../time/calendar-date.js';
import type { Connection } from '../connections/connection.entity.js';
import { lockConnection } from '../connections/connection-lock.js';
import { findAccount } from './find-or-adopt-account.js';
import { allInserted, diffTransactions, type TransactionDiff } from './diff-transactions.js';
import { rememberHolds, removeAllHolds, removeReleasedHolds, matchPendingToPosted } from './match-pending.js';
import { matchReissuedIds } from './match-reissued-ids.js';
import type { PrefetchedRowDigests } from './queries/prefetch-row-digests.js';
import { writeObservation } from './queries/record-observation.js';
import { addTransactions, type TransactionCounts, writeTransactions } from './queries/upsert-transactions.js';

const HOLDINGS_RETRY_DAYS = 30;

export interface AccountWrite extends TransactionCounts {
  accountId: string;
  balancesWritten: number;
}

/** In the caller's transaction where there is one. A new object every time: MikroORM leaves the transaction in it. */
const joined = () => ({ propagation: TransactionPropagation.REQUIRED });

export interface Moment {
  at: Date;
  /** The day of `at` where the person is. */
  day: CalendarDate;
  /** The day of `at` in UTC, which is how providers count. */
  utcDay: CalendarDate;
  /** Whether all of the account's history was asked for, not only what is new. */
  isWholeHistory: boolean;
}

/**
 * Writes what a snapshot says of one account and derives its history, in one transaction: all of it or nothing. It is the
 * caller's transaction where there is one.
 *
 * @param ahead what of the account's stored rows was read already
 */
export function ingestAccount(
  em: EntityManager,
  connection: Connection,
  snapshot: SnapshotAccount,
  moment: Moment,
  ahead: PrefetchedRowDigests,
): Promise<AccountWrite> {
  return em.transactional(async (em) => {
    const { includePending } = await lockConnection(em, connection);
    const { account, isNew, isRedefined } = await upsertAccount(em, connection, snapshot, moment);
    const { transactions } = snapshot;
    const news = isNew ? allInserted(transactions) : await diffTransactions(em, account, transactions, ahead);
    const { added, updated } = await writeNews(em, account, isNew, transactions, news, moment.at);
    const removed = includePending
      ? await removeReleasedHolds(em, account, snapshot, moment.at)
      : await removeAllHolds(em, account);
    const rowsChanged = added + updated + removed > 0;
    const isObserved = await writeObservation(em, account, snapshot, moment, rowsChanged);
    // The same facts give the same history, and most syncs of a day bring none.
    const isUpToDate = !isRedefined && !rowsChanged && !isObserved && (await historyReaches(em, account, moment.day));
    const balancesWritten = isUpToDate ? 0 : await deriveAccountHistory(em, account, moment.day);
    return { accountId: account.id, added, updated, removed, balancesWritten };
  }, joined());
}

/** Most of an answer is known: only what is news is settled with what is stored, and written. */
async function writeNews(
  em: EntityManager,
  account: Account,
  isNew: boolean,
  transactions: readonly SnapshotTransaction[],
  news: TransactionDiff,
  seenAt: Date,
): Promise<Omit<TransactionCounts, 'removed'>> {
  const fresh = await matchReissuedIds(em, account, news);
  const { rows, pairs } = await matchPendingToPosted(em, account, transactions, fresh);
  const isNews = (row: SnapshotTransaction) => news.fresh.has(row) || news.changed.has(row);
  const write = isNew ? addTransactions : writeTransactions;
  const counts = await write(em, account, rows.filter(isNews), seenAt);
  await rememberHolds(em, account, pairs);
  return counts;
}

/**
 * What the provider does not tell this time is no news; what a person chose is never overwritten.
 *
 * @returns the account, whether it was not known, and whether what its history is counted in or by is another than before
 */
async function upsertAccount(
  em: EntityManager,
  connection: Connection,
  snapshot: SnapshotAccount,
  moment: Moment,
): Promise<{ account: Account; isNew: boolean; isRedefined: boolean }> {
  const { userId, id: connectionId, provider } = connection;
  const { externalId } = snapshot;
  let account = await findAccount(em, connection, snapshot);
  const isNew = account === null;
  if (!account) {
    account = em.create(Account, {
      ...{ userId, id: randomUUID(), connectionId, provider, externalId },
      ...{
        name: snapshot.name,
        nameChosen: false,
        institution: null,
        currency: null,
        accountType: null,
        accountTypeChosen: false,
      },
      ...{ status: 'active', holdingsSupported: null, holdingsRetryOn: null, completeUntil: null },
      ...{ createdAt: moment.at, updatedAt: moment.at },
    });
    em.persist(account);
  }
  const { currency, accountType } = account;
  if (!account.nameChosen) account.name = snapshot.name;
  account.institution = snapshot.institution ?? account.institution;
  account.currency = snapshot.currency ?? account.currency;
  account.accountType ??= knownType(snapshot.suggestedType);
  account.status = 'active';
  rememberHoldings(account, snapshot, moment.utcDay);
  rememberHistory(account, snapshot, moment);
  await em.flush();
  const isRedefined = account.currency !== currency || account.accountType !== accountType;
  return { account, isNew, isRedefined };
}

/** What a gap keeps from being complete is asked for again, but not the part that was known before the gap. */
function rememberHistory(account: Account, { complete, knownFrom }: SnapshotAccount, moment: Moment): void {
  const { utcDay, isWholeHistory } = moment;
  if (isWholeHistory) account.historyAskedAt = moment.at;
  // Nothing missing in the newest days says nothing of the days before.
  if (complete && (isWholeHistory || account.completeUntil !== null)) {
    Object.assign(account, { completeUntil: utcDay, knownFrom: null, knownUntil: null });
  } else if (isWholeHistory && account.completeUntil === null && knownFrom !== null) {
    Object.assign(account, { knownFrom, knownUntil: utcDay });
  }
}

/** That there are none is remembered for a while, not for ever: what providers support grows. */
function rememberHoldings(account: Account, { holdings }: SnapshotAccount, today: CalendarDate): void {
  if (holdings.status === 'unavailable') {
    account.holdingsSupported = false;
    if (account.holdingsRetryOn === null || account.holdingsRetryOn <= today)
      account.holdingsRetryOn = addDays(today, HOLDINGS_RETRY_DAYS);
  }
  // An empty list says nothing: it is what a provider sends for accounts that can hold none.
  if (holdings.status === 'available' && holdings.items.length > 0) {
    account.holdingsSupported = true;
    account.holdingsRetryOn = null;
  }
}

function knownType(suggestion: string | null): AccountType | null {
  return ACCOUNT_TYPES.find((type) => type === suggestion) ?? null;
}
