import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { maySee } from '../../auth/account-limits.guard.js';
import { toAccountResponse } from '../../balances/accounts/account.response.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { toHoldingResponse } from '../../balances/holdings/holding.response.js';
import { HoldingsRepository } from '../../balances/holdings/holdings.repository.js';
import { toTransactionResponse, type TransactionRow } from '../../balances/transactions/transaction.response.js';
import { TransactionsRepository } from '../../balances/transactions/transactions.repository.js';
import { BalancesRepository } from '../../balances/record/balances.repository.js';
import { toBalanceResponse } from '../../balances/record/balance.response.js';
import { type ChangeKind, RECORDS_OF_MODULES } from '../../database/change-log/change.js';
import type { Caller } from '../../http/caller.js';
import { toConnectionResponse } from '../overview/connection.response.js';
import { ConnectionOverviewQueries } from '../overview/connection-overview.queries.js';
import { toSyncResponse } from '../runs/sync.response.js';
import { SyncRunsService } from '../runs/sync-runs.service.js';
import { getterOf } from '../../platform/module.js';
import { addDays } from '../../platform/time/calendar-date.js';
import type { ChangedPart } from './change-feed.response.js';
import { LAST_DAY, type PlannedPart } from './plan-parts.js';

/** The part of the changes that fits into an answer. */
interface ReadPart {
  parts: ChangedPart[];
  /** How many records it counts towards the limit. */
  size: number;
  /** The key of the last record if some are left for the next answer; `null`: that was all. */
  leftAfter: string | null;
}

type Whose = Pick<Caller, 'userId' | 'accountIds'>;

type Of<Kind extends ChangeKind, Shape> = Extract<PlannedPart, { kind: Kind } & Shape>;

/** Reads the current records of planned parts, in the form of the lists. */
@Injectable()
export class PartReader {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly holdings: HoldingsRepository,
    private readonly transactions: TransactionsRepository,
    private readonly balances: BalancesRepository,
    private readonly connections: ConnectionOverviewQueries,
    private readonly syncs: SyncRunsService,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * Call it in a snapshot transaction.
   *
   * @param limit the maximum number of records, at least 1
   */
  read({ userId, accountIds }: Whose, part: PlannedPart, limit: number): Promise<ReadPart> {
    if ('ids' in part) return this.#byIds({ userId, accountIds }, part.kind, part.ids, limit);
    if (part.kind === 'holdings') return this.#holdings(userId, part);
    return part.kind === 'balances' ? this.#balances(userId, part, limit) : this.#ofAccount(userId, part, limit);
  }

  async #byIds(whose: Whose, type: ChangeKind, all: readonly string[], limit: number): Promise<ReadPart> {
    const ids = all.slice(0, limit);
    const part = { type, ids, records: await this.#records(whose, type, ids) } as ChangedPart;
    return { parts: [part], size: ids.length, leftAfter: ids.length < all.length ? ids.at(-1)! : null };
  }

  async #records(whose: Whose, kind: ChangeKind, ids: readonly string[]): Promise<readonly object[]> {
    const { userId, accountIds } = whose;
    const ofModule = RECORDS_OF_MODULES.get(kind);
    if (ofModule) return ofModule.read(whose, ids, getterOf(this.moduleRef));
    if (kind === 'accounts') return (await this.accounts.findByIds(userId, ids)).map(toAccountResponse);
    if (kind === 'connections') return (await this.connections.findByIds(userId, ids)).map(toConnectionResponse);
    if (kind === 'syncs') return (await this.syncs.findByIds(userId, ids)).map(toSyncResponse);
    const transactions = await this.transactions.findByIds(userId, ids);
    // One of these accounts may have had it, and be merged into another.
    const seen = transactions.filter(({ account_id }) => maySee({ accountIds }, account_id));
    return seen.map(toTransactionResponse);
  }

  async #holdings(userId: string, { accountId }: Of<'holdings', object>): Promise<ReadPart> {
    const records = (await this.holdings.listOfAccount(userId, accountId)).map(toHoldingResponse);
    const part = { type: 'holdings' as const, account_id: accountId, records };
    return { parts: [part], size: Math.max(records.length, 1), leftAfter: null };
  }

  async #balances(userId: string, part: Of<'balances', object>, limit: number): Promise<ReadPart> {
    const { accountId, from, to } = part;
    const rows = await this.balances.listDays(userId, accountId, { from, to, limit: limit + 1 });
    const isMore = rows.length > limit;
    const records = rows.slice(0, limit).map(toBalanceResponse);
    const last = isMore ? records.at(-1)!.date : to;
    return {
      parts: [{ type: 'balances', account_id: accountId, from, to: last, records }],
      size: Math.max(records.length, 1),
      leftAfter: isMore ? last : null,
    };
  }

  /** The rest of a day that did not fit is sent by ids: the part for the day has already replaced it in the copy. */
  async #ofAccount(
    userId: string,
    { accountId, after }: Of<'transactions', { accountId: string }>,
    limit: number,
  ): Promise<ReadPart> {
    const [day = null, id = null] = after?.split(' ') ?? [];
    const rows = await this.transactions.listAfter(userId, accountId, { day, id, limit: limit + 1 });
    const isMore = rows.length > limit;
    const shown = rows.slice(0, limit);
    const begun = shown.filter(({ date }) => date === day);
    const last = isMore ? shown.at(-1)! : null;
    const parts: ChangedPart[] = [];
    if (begun.length > 0) {
      parts.push({ type: 'transactions', ids: begun.map(({ id }) => id), records: begun.map(toTransactionResponse) });
    }
    if (day !== LAST_DAY && (last === null || last.date !== day)) {
      const rest = shown.slice(begun.length).map(toTransactionResponse);
      const from = day === null ? null : addDays(day, 1);
      parts.push({ type: 'transactions', account_id: accountId, from, to: last?.date ?? null, records: rest });
    }
    return { parts, size: Math.max(shown.length, 1), leftAfter: last && keyOf(last) };
  }
}

function keyOf({ date, id }: TransactionRow): string {
  return `${date} ${id}`;
}
