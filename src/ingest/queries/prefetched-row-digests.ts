import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { readDigests, type RowsSince, splitDigests } from './row-digests.queries.js';

/** A known account whose transactions from a day on the provider will list again. */
export interface ExpectedAccount extends RowsSince {
  externalId: string;
}

/**
 * Row digests of known accounts, prefetched while the service waits for the provider. They stay valid until they are
 * used, because only its sync writes the transactions of a connection: an account that is merged meanwhile changes its
 * external id, and pending transactions that are switched off meanwhile are deleted whatever was stored.
 */
export class PrefetchedRowDigests {
  readonly #expected: ReadonlyMap<string, ExpectedAccount>;
  readonly #digests: Promise<ReadonlyMap<string, string | null> | null>;

  constructor(em: EntityManager, userId: string, expected: readonly ExpectedAccount[]) {
    this.#expected = new Map(expected.map((account) => [account.externalId, account]));
    // After a failure the account reads its digests again.
    this.#digests = readDigests(em, userId, expected).catch(() => null);
  }

  /** @returns the digests from that day on, perhaps with older ones */
  async of(em: EntityManager, { userId, externalId, id }: Account, since: CalendarDate): Promise<string[]> {
    const expected = this.#expected.get(externalId);
    const isPrefetched = expected?.accountId === id && expected.since <= since;
    const digests =
      (isPrefetched && (await this.#digests)) || (await readDigests(em, userId, [{ accountId: id, since }]));
    return splitDigests(digests.get(id));
  }
}
