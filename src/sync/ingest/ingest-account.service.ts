import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { TransactionPropagation } from '@mikro-orm/core';
import { type EntityManager, type InferClassEntityDB, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Account, isSynced, MAX_ACCOUNTS_OF_PERSON } from '../../balances/accounts/account.entity.js';
import { deriveAccountHistory, historyReaches } from '../../balances/history/derive-account-history.js';
import { everythingOf } from '../../database/change-log/change.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import type { RestatementReason } from '../../balances/record/keep-versions.js';
import type { SnapshotAccount } from '../../providers/bank-provider.js';
import { Connection, lockConnection } from '../connections/connection.entity.js';
import {
  AccountDeletedError,
  type IngestProblem,
  staleProblems,
  SyncedElsewhere,
  TooManyAccounts,
  tooManyMissingProblem,
  TooManyTransactions,
} from './ingest-problem.js';
import { type ListingPlan, matchListing } from './matching/match-listing.js';
import { PASSES } from './matching/passes.js';
import { hasFeedStopped, storeBalanceReport } from './queries/balance-reports.queries.js';
import { applyPlan, countStored, readStored } from './queries/listing.queries.js';
import { digestOfAnswer, type IngestMoment, statedValues } from './account-changes.js';
import { mayBeOneAccount } from '../../balances/accounts/duplicates/match-accounts.js';
import type { DeletedAccount } from './delete-account/deleted-account.entity.js';

type Tables = InferClassEntityDB<typeof Connection | typeof DeletedAccount>;

/** One account may have a fifth of what a person may have, so that the others of the person go on if its bank runs wild. */
const SHARE_OF_ACCOUNT = 0.2;

/** Locked until its history is derived, so that a type that a person sets meanwhile counts. */
const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

interface TransactionCounts {
  added: number;
  updated: number;
  removed: number;
}

export interface AccountWrite extends TransactionCounts {
  accountId: string;
  balancesWritten: number;
  problems: IngestProblem[];
}

/** Writes one account of an answer, and derives its balance history. */
@Injectable()
export class IngestAccountService {
  constructor(private readonly config: Config) {}

  /**
   * Writes everything or nothing, in the transaction of `em` or one of its own.
   *
   * @throws AccountDeletedError when a person deleted the account
   * @throws SyncedElsewhere when another connection syncs the account
   * @throws TooManyAccounts when it would be a new one
   * @throws TooManyTransactions when it would have more than one may have
   */
  ingest(
    em: EntityManager,
    connection: Connection,
    snapshot: SnapshotAccount,
    moment: IngestMoment,
  ): Promise<AccountWrite> {
    const write = async (em: EntityManager) => {
      const { includePending } = await lockConnection(em, connection);
      const { account, isNew, isRedefined, isListedFurther } = await upsertAccount(em, connection, snapshot, moment);
      const stored = isNew ? [] : await readStored(em, account, snapshot, moment.timeZone);
      const plan = matchListing(stored, snapshot, PASSES, { seenAt: moment.at, includePending });
      await this.#assertRoom(em, account, plan);
      const { added, updated, removed } = await applyPlan(em, account, plan, moment.at);
      account.answerDigest = plan.isSettled ? digestOfAnswer(snapshot, moment, includePending) : null;
      await em.flush();
      const rowsChanged = added + updated + removed > 0;
      const isObserved = await storeBalanceReport(em, account, snapshot, moment, rowsChanged);
      // Equal facts give an equal history. Measured where only the day of UTC is another: deriving it all the same makes
      // a sync of 20 accounts with 700 transactions each cost 1.6 times as much.
      const hasFacts = isRedefined || isListedFurther || rowsChanged || isObserved;
      const isUpToDate = !hasFacts && (await historyReaches(em, account, moment.day));
      const reasons = reasonsOf({ added, updated, removed }, { isObserved, isRedefined });
      const balancesWritten = isUpToDate ? 0 : (await deriveAccountHistory(em, account, moment.day, reasons)).written;
      return {
        accountId: account.id,
        added,
        updated,
        removed,
        balancesWritten,
        problems: [
          ...(plan.lacking ? [tooManyMissingProblem(account, snapshot, plan.lacking)] : []),
          ...staleProblems(account),
        ],
      };
    };
    // A new object every time, because MikroORM stores the transaction in it.
    return em.transactional(write, { propagation: TransactionPropagation.REQUIRED });
  }

  async #assertRoom(em: EntityManager, account: Account, { added, ended, withdrawn }: ListingPlan): Promise<void> {
    const max = this.config.maxTransactionsPerPerson;
    const maxOfAccount = Math.floor(max * SHARE_OF_ACCOUNT);
    // A withdrawn transaction becomes a version.
    const more = added + ended.size - withdrawn.size;
    if (more <= 0) return;
    const stored = await countStored(em, account);
    if (more + stored.transactions + stored.versions > maxOfAccount) {
      const limit = maxOfAccount.toLocaleString('en');
      throw new TooManyTransactions(
        account,
        `it would have more than ${limit} transactions and earlier versions of them`,
      );
    }
    if (added - withdrawn.size + stored.ofPerson > max) {
      throw new TooManyTransactions(account, `you would have more than ${max.toLocaleString('en')} transactions`);
    }
  }
}

/**
 * Stores what the snapshot says about the account itself.
 *
 * @returns the account, whether it is new, whether its currency or type changed, and whether it is listed further than before
 */
async function upsertAccount(
  em: EntityManager,
  connection: Connection,
  snapshot: SnapshotAccount,
  moment: IngestMoment,
): Promise<{ account: Account; isNew: boolean; isRedefined: boolean; isListedFurther: boolean }> {
  const found = await findOrAdoptAccount(em, connection, snapshot, moment.at);
  const account = found ?? (await createAccount(em, connection, snapshot, moment.at));
  const { currency, accountType } = account;
  const [shownBefore, { covered }] = [shownValues(account), account];
  if (account.staleSince === null && (await hasFeedStopped(em, account, snapshot, moment.utcDay)))
    account.staleSince = snapshot.balance!.date;
  Object.assign(account, statedValues(account, snapshot, moment));
  const isShownAnew = shownValues(account) !== shownBefore;
  if (isShownAnew) account.updatedAt = moment.at;
  await em.flush();
  const isListedFurther = !isDeepStrictEqual(account.covered, covered);
  noteAccount(account, found === null || isShownAnew, isListedFurther);
  const isRedefined = account.currency !== currency || account.accountType !== accountType;
  return { account, isNew: found === null, isRedefined, isListedFurther };
}

/**
 * Finds the stored account of an answer. An account whose connection was removed, needs a person or no longer lists it is
 * adopted with its history.
 *
 * @returns `null`: the account is new, and no other transaction can store it before that of `em` ends
 * @throws AccountDeletedError when a person deleted it
 * @throws SyncedElsewhere when another connection still syncs the account
 */
async function findOrAdoptAccount(
  em: EntityManager,
  connection: Connection,
  snapshot: SnapshotAccount,
  at: Date,
): Promise<Account | null> {
  const { userId, id: connectionId, provider } = connection;
  const { externalId } = snapshot;
  const own = await em.findOne(Account, { userId, connectionId, externalId }, LOCKED);
  if (own) return own;
  await lockNewAccount(em, [userId, provider, externalId].join(' '));
  const sameId = await em.find(Account, { userId, provider, externalId }, { orderBy: { id: 'asc' }, ...LOCKED });
  // After the last lock: it may have waited for the deletion.
  if (await isDeleted(em, connection, externalId)) throw new AccountDeletedError();
  const others = sameId
    .filter((account) => mayBeOneAccount(account, snapshot))
    .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  const synced = others.filter(isSynced);
  const ids = synced.map((account) => account.connectionId!);
  const connections = await em.find(Connection, { userId, id: { $in: ids }, status: 'active' });
  for (const other of synced) {
    const keeper = connections.find(({ id }) => id === other.connectionId);
    if (keeper) throw new SyncedElsewhere(other, keeper);
  }
  const [orphan] = others;
  if (!orphan) return null;
  Object.assign(orphan, { connectionId, updatedAt: at });
  noteChanges(userId, { kind: 'accounts', ids: [orphan.id] }, { kind: 'connections' });
  return orphan;
}

/**
 * Whether a person deleted the account, through this connection or through another of the same provider. A connection that
 * was made after the deletion brings it as a new one. One statement, because a connection that is removed meanwhile passes
 * its deletions on.
 */
async function isDeleted(
  em: EntityManager,
  { userId, id, provider, createdAt }: Connection,
  externalId: string,
): Promise<boolean> {
  const deleted = await em
    .getKysely<Tables>()
    .selectFrom('deleted_accounts as deleted')
    .innerJoin('connections as of', (join) =>
      join.onRef('of.user_id', '=', 'deleted.user_id').onRef('of.id', '=', 'deleted.connection_id'),
    )
    .select('of.id')
    .where('deleted.user_id', '=', userId)
    .where('deleted.external_id', '=', externalId)
    .where('of.provider', '=', provider)
    .where((eb) => eb.or([eb('of.id', '=', id), eb('deleted.deleted_at', '>', createdAt)]))
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Two connections may list the same new account at the same moment, when there is no row to lock. */
async function lockNewAccount(em: EntityManager, key: string): Promise<void> {
  await em
    .getKysely()
    .selectNoFrom((eb) =>
      eb.fn('pg_advisory_xact_lock', [eb.fn('hashtextextended', [eb.val(key), eb.lit(0)])]).as('locked'),
    )
    .execute();
}

async function createAccount(
  em: EntityManager,
  { userId, id: connectionId, provider }: Connection,
  { externalId, name }: SnapshotAccount,
  at: Date,
): Promise<Account> {
  if ((await em.count(Account, { userId })) >= MAX_ACCOUNTS_OF_PERSON) throw new TooManyAccounts(name);
  const account = em.create(Account, {
    userId,
    id: randomUUID(),
    connectionId,
    provider,
    externalId,
    name,
    nameChosen: false,
    institution: null,
    currency: null,
    accountType: null,
    accountTypeChosen: false,
    status: 'active',
    closedOn: null,
    includeInNetWorth: true,
    hidden: false,
    holdingsSupported: null,
    holdingsRetryOn: null,
    covered: [],
    createdAt: at,
    updatedAt: at,
  });
  em.persist(account);
  return account;
}

/** Which facts an answer has changed. A new day changes none. */
function reasonsOf(
  { added, updated, removed }: TransactionCounts,
  { isObserved, isRedefined }: { isObserved: boolean; isRedefined: boolean },
): RestatementReason[] {
  const reasons: [RestatementReason, boolean][] = [
    ['late_transaction', added > 0],
    ['changed_transaction', updated > 0],
    ['removed_transaction', removed > 0],
    ['new_reading', isObserved],
    ['corrected_type', isRedefined],
  ];
  return reasons.filter(([, applies]) => applies).map(([reason]) => reason);
}

/** What lists and merge suggestions show of an answer's values. */
function shownValues(account: Account): string {
  const { name, institution, currency, unsupportedBalance, accountType, status, holdingsSupported, staleSince } =
    account;
  const shown = [name, institution, currency, unsupportedBalance, accountType, status, holdingsSupported, staleSince];
  return JSON.stringify(shown);
}

/** Merge suggestions concern all connections of a person, completeness only the account's own. */
function noteAccount({ userId, id, connectionId }: Account, isRedefined: boolean, isFurther: boolean): void {
  if (isRedefined) noteChanges(userId, ...everythingOf(id), { kind: 'connections' });
  else if (isFurther) noteChanges(userId, { kind: 'connections', ids: [connectionId!] });
}
