import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { rowsOf, type RowsSince, storedTexts } from './row-digests.js';

/** A known account whose rows from a day on will be listed again. */
export interface ExpectedAccount extends RowsSince {
  externalId: string;
}

/**
 * What is stored of known accounts, read while their provider is being asked: PostgreSQL has nothing to do then. It still
 * holds when their turn comes, since nobody but its sync writes the rows of a connection: an account that is merged
 * meanwhile has another external id, and holds that are switched off meanwhile are not kept, whatever was stored.
 */
export class PrefetchedRowDigests {
  readonly #expected: ReadonlyMap<string, ExpectedAccount>;
  readonly #texts: Promise<ReadonlyMap<string, string | null> | null>;

  constructor(em: EntityManager, userId: string, expected: readonly ExpectedAccount[]) {
    this.#expected = new Map(expected.map((account) => [account.externalId, account]));
    // Whoever needs what could not be read reads it again, and a failure then is one of that account.
    this.#texts = storedTexts(em, userId, expected).catch(() => null);
  }

  /** @returns all rows from that day on, and maybe some before it; what was not read ahead is read now */
  async of(em: EntityManager, { userId, externalId, id }: Account, since: CalendarDate): Promise<string[]> {
    const expected = this.#expected.get(externalId);
    const isExpected = expected?.accountId === id && expected.since <= since;
    const texts = (isExpected && (await this.#texts)) || (await storedTexts(em, userId, [{ accountId: id, since }]));
    return rowsOf(texts.get(id));
  }
}
