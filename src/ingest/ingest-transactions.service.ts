import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Account } from '../accounts/account.entity.js';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import { type IngestProblem, tooManyMissingProblem, TooManyTransactions } from './ingest-problem.js';
import { type ListingPlan, matchListing } from './matching/match-listing.js';
import { PASSES } from './matching/passes.js';
import { applyPlan, countStored, readStored } from './queries/listing.queries.js';

export interface TransactionCounts {
  added: number;
  updated: number;
  removed: number;
}

interface TransactionIngest {
  /** Whether the account has no stored transactions. */
  isNew: boolean;
  includePending: boolean;
  seenAt: Date;
  /** The person's, an IANA name. */
  timeZone: string;
}

/** Updates the stored transactions of an account to an answer. */
@Injectable()
export class IngestTransactionsService {
  constructor(private readonly config: Config) {}

  /**
   * @returns also whether an equal answer would change nothing later
   * @throws TooManyTransactions when the account would have more than one may have
   */
  async ingest(
    em: EntityManager,
    account: Account,
    answer: SnapshotAccount,
    { isNew, includePending, seenAt, timeZone }: TransactionIngest,
  ): Promise<TransactionCounts & { isSettled: boolean; problems: IngestProblem[] }> {
    const stored = isNew ? [] : await readStored(em, account, answer, timeZone);
    const plan = matchListing(stored, answer, PASSES, { seenAt, includePending });
    await this.#assertRoom(em, account, plan);
    const counts = await applyPlan(em, account, plan, seenAt);
    const { isSettled } = plan;
    return {
      ...counts,
      isSettled,
      problems: plan.lacking ? [tooManyMissingProblem(account, answer, plan.lacking)] : [],
    };
  }

  async #assertRoom(em: EntityManager, account: Account, { added, ended, withdrawn }: ListingPlan): Promise<void> {
    const max = this.config.maxTransactionsPerAccount;
    // A withdrawn transaction becomes a version.
    const more = added + ended.size - withdrawn.size;
    if (more > 0 && more + (await countStored(em, account)) > max) throw new TooManyTransactions(account, max);
  }
}
