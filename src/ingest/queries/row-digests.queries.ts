import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { externalIdOf, FIELD_END } from '../matching/row-digest.js';
import { plainArray, textArray } from './array-literal.js';

/** No provider text contains it, because mappers replace invisible characters. */
const ROW_END = '\u001e';

/** The digest of a stored transaction: all its fields as one text. */
const DIGEST = sql<string>`concat_ws(${FIELD_END}, external_id, date, amount_minor, currency, pending, description, merchant)`;

/** The transactions of an account from a day on. */
interface RowsSince {
  accountId: string;
  since: CalendarDate;
}

/**
 * Reads the digests of all transactions from a day on, as one text per account: see {@link splitDigests}. Most rows are
 * unchanged, and one long text is several times cheaper to read than the answer is to send. Raw, for `string_agg` over an
 * array of accounts, each aggregated by itself because a group would sort the rows of all.
 */
async function readDigests(
  em: EntityManager,
  userId: string,
  accounts: readonly RowsSince[],
): Promise<Map<string, string | null>> {
  if (accounts.length === 0) return new Map();
  const { rows } = await sql<{ id: string; digests: string | null }>`
    select expected.id, stored.digests
    from unnest(
      ${plainArray(accounts.map(({ accountId }) => accountId))}::uuid[],
      ${plainArray(accounts.map(({ since }) => since))}::date[]
    ) as expected (id, since)
    cross join lateral (
      select string_agg(${DIGEST}, ${ROW_END}) as digests from transactions
      where user_id = ${userId} and account_id = expected.id and date >= expected.since
    ) stored
  `.execute(em.getKysely());
  return new Map(rows.map(({ id, digests }) => [id, digests]));
}

/** Splits the text of {@link readDigests} into the digests of single transactions. */
function splitDigests(digests: string | null | undefined): string[] {
  return digests?.split(ROW_END) ?? [];
}

/**
 * Reads the digests of transactions by external ids. The ids are an array and no join: without statistics of a new account the
 * planner would scan all of it for every id. Raw, for `string_agg`.
 */
export async function readDigestsById(
  em: EntityManager,
  { userId, id }: Pick<Account, 'userId' | 'id'>,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map();
  const { rows } = await sql<{ digests: string | null }>`
    select string_agg(${DIGEST}, ${ROW_END}) as digests from transactions
    where user_id = ${userId} and account_id = ${id} and external_id = any(${textArray(externalIds)}::text[])
  `.execute(em.getKysely());
  return new Map(splitDigests(rows[0]!.digests).map((digest) => [externalIdOf(digest), digest]));
}

/** A known account whose transactions from a day on the provider will list again. */
interface ExpectedAccount extends RowsSince {
  externalId: string;
}

/** Reads the digests of an account's transactions from a day on, perhaps with older ones. */
export type ReadRowDigests = (em: EntityManager, account: Account, since: CalendarDate) => Promise<string[]>;

/**
 * Reads the digests of known accounts while the service waits for the provider. They stay valid until they are used,
 * because only its sync writes the transactions of a connection: an account that is merged meanwhile changes its
 * external id, and pending transactions that are switched off meanwhile are deleted whatever was stored.
 */
export function prefetchRowDigests(
  em: EntityManager,
  userId: string,
  expected: readonly ExpectedAccount[],
): ReadRowDigests {
  const byExternalId = new Map(expected.map((account) => [account.externalId, account]));
  // After a failure the account reads its digests again.
  const prefetched = readDigests(em, userId, expected).catch(() => null);
  return async (em, { userId, externalId, id }, since) => {
    const account = byExternalId.get(externalId);
    const isPrefetched = account?.accountId === id && account.since <= since;
    const digests = (isPrefetched && (await prefetched)) || (await readDigests(em, userId, [{ accountId: id, since }]));
    return splitDigests(digests.get(id));
  };
}
