// Measured where nothing has changed: a statement for each account makes a sync of 4 accounts cost 1.03 times as much, of 20 1.7 times.
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Account } from '../../accounts/account.entity.js';
import type { ConnectionKey } from '../../connections/connection.entity.js';
import { reader } from '../../database/reader.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';

/** Separate the fields of a digest, and digests. No provider text contains them: mappers replace invisible characters. */
const FIELD_END = '\u001f';
const ROW_END = '\u001e';

/** So many transactions of a connection are read before the provider is asked, some 30 MB of digests. */
const MAX_PREFETCHED_ROWS = 200_000;

/** The digest of a stored transaction: all its fields as one text. */
const DIGEST = sql<string>`concat_ws(${FIELD_END}, external_id, date, amount_minor, currency, pending, description, merchant)`;

/** The same of a row of an answer. */
export function digestOf(row: SnapshotTransaction): string {
  const { externalId, date, amountMinor, currency, pending, description, merchant } = row;
  const fields = [externalId, date, amountMinor, currency, pending ? 't' : 'f', description];
  // The last one, because concat_ws omits the separator of a null.
  if (merchant !== null) fields.push(merchant);
  return fields.join(FIELD_END);
}

/** Reads a transaction back from its digest. */
export function transactionOf(digest: string): SnapshotTransaction {
  const fields = digest.split(FIELD_END);
  return {
    externalId: fields[0]!,
    date: fields[1]!,
    amountMinor: Number(fields[2]),
    currency: fields[3]!,
    pending: fields[4] === 't',
    description: fields[5]!,
    merchant: fields[6] ?? null,
  };
}

function externalIdOf(digest: string): string {
  return digest.slice(0, digest.indexOf(FIELD_END));
}

export function dateOf(digest: string): CalendarDate {
  return digest.split(FIELD_END, 2)[1]!;
}

/** An account, and the day from which on its transactions are read. */
interface AccountSince {
  account: Account;
  since: CalendarDate;
}

/** What is stored of an account. */
export interface StoredAccount extends AccountSince {
  /** Of its transactions from the day on, as one text: see {@link splitDigests}. */
  digests: string | null;
  /** Whether there are so many of them that they were left out. */
  isLeftOut: boolean;
  /** The digest of its newest report. */
  reportDigest: string | null;
  /** Where its history ends. */
  lastDay: CalendarDate | null;
  hasPending: boolean;
  /** Whether an answer has left out a pending one. */
  isPendingMissing: boolean;
}

interface StoredRow extends Omit<StoredAccount, keyof AccountSince> {
  id: string;
}

/**
 * Reads the digests of transactions as one text for each account: most rows are unchanged, and one long text is several
 * times cheaper to read than the answer is to send. Raw, for `string_agg` over an array of accounts, each aggregated by
 * itself because a group would sort the rows of all.
 *
 * @param maxRows the most rows of an account of which digests are returned; `null`: any number
 */
async function readStored(
  em: EntityManager,
  userId: string,
  accounts: readonly AccountSince[],
  maxRows: number | null,
): Promise<Map<string, StoredAccount>> {
  if (accounts.length === 0) return new Map();
  const { rows } = await sql<StoredRow>`
    select expected.id, case when not listed."isLeftOut" then listed.digests end as digests, listed."isLeftOut",
      pending.count > 0 as "hasPending", pending.missing > 0 as "isPendingMissing",
      (select digest from observations where user_id = ${userId} and account_id = expected.id
        order by observed_at desc limit 1) as "reportDigest",
      (select max(last_date)::text from balance_spans where user_id = ${userId} and account_id = expected.id) as "lastDay"
    from unnest(
      ${accounts.map(({ account }) => account.id)}::uuid[],
      ${accounts.map(({ since }) => since)}::date[]
    ) as expected (id, since)
    cross join lateral (
      select string_agg(digest, ${ROW_END}) as digests, coalesce(count(*) > ${maxRows}::bigint, false) as "isLeftOut"
      from (
        select ${DIGEST} as digest from transactions
        where user_id = ${userId} and account_id = expected.id and date >= expected.since
        limit ${maxRows}::bigint + 1
      ) rows
    ) listed
    cross join lateral (
      select count(*) as count, count(missing_since) as missing from transactions
      where user_id = ${userId} and account_id = expected.id and pending
    ) pending
  `.execute(em.getKysely());
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]));
  return new Map(accounts.map((one) => [one.account.externalId, { ...one, ...byId.get(one.account.id)! }]));
}

/** Splits a text of digests into those of single transactions. */
export function splitDigests(digests: string | null): string[] {
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
    where user_id = ${userId} and account_id = ${id} and external_id = any(${externalIds}::text[])
  `.execute(em.getKysely());
  return new Map(splitDigests(rows[0]!.digests).map((digest) => [externalIdOf(digest), digest]));
}

/**
 * What is stored of the accounts that an answer will probably list, read before the provider is asked. The transactions of an
 * account that has more of them than its share of what one sync may hold are read once its answer has come. They stay
 * valid until they are used, because only its own sync writes those of a connection. An account that is merged meanwhile
 * changes its external id, and pending transactions that are switched off meanwhile are deleted anyway.
 */
export class StoredAccounts {
  /** The accounts that were looked up, by external id; `null`: there is none. */
  readonly #current = new Map<string, Account | null>();

  private constructor(
    private readonly em: EntityManager,
    private readonly connection: ConnectionKey,
    private readonly prefetched: ReadonlyMap<string, StoredAccount>,
  ) {}

  /**
   * @param expected the known accounts, with the first day that their answers will list again
   * @param maxRows how many transactions are read of them together
   */
  static async read(
    em: EntityManager,
    connection: ConnectionKey,
    expected: readonly AccountSince[],
    maxRows = MAX_PREFETCHED_ROWS,
  ): Promise<StoredAccounts> {
    const share = Math.floor(maxRows / Math.max(expected.length, 1));
    return new StoredAccounts(em, connection, await readStored(em, connection.userId, expected, share));
  }

  /**
   * Finds an account whose answer has come. A person may have merged or deleted it while the bank was asked.
   *
   * @param listed the accounts whose answers have come, this one among them: they are looked up together
   * @returns `null`: none was expected under this external id, or it has become another
   */
  async find(externalId: string, listed: ReadonlySet<string>): Promise<StoredAccount | null> {
    const prefetched = this.prefetched.get(externalId);
    if (!prefetched) return null;
    if (!this.#current.has(externalId)) await this.#lookUp([...listed].filter((id) => !this.#current.has(id)));
    const account = this.#current.get(externalId);
    if (account?.id !== prefetched.account.id) return null;
    return prefetched.isLeftOut ? this.#readAlone(this.em, account, prefetched.since) : { ...prefetched, account };
  }

  async #readAlone(em: EntityManager, account: Account, since: CalendarDate): Promise<StoredAccount> {
    const stored = await readStored(em, account.userId, [{ account, since }], null);
    return stored.get(account.externalId)!;
  }

  async #lookUp(externalIds: readonly string[]): Promise<void> {
    const { userId, id: connectionId } = this.connection;
    for (const externalId of externalIds) this.#current.set(externalId, null);
    const accounts = await reader(this.em).find(Account, {
      userId,
      connectionId,
      externalId: { $in: [...externalIds] },
    });
    for (const account of accounts) this.#current.set(account.externalId, account);
  }

  /** The digests of an account's transactions from a day on, perhaps with older ones. */
  async digests(em: EntityManager, account: Account, since: CalendarDate): Promise<string[]> {
    const prefetched = this.prefetched.get(account.externalId);
    const isOfAccount = prefetched?.account.id === account.id && prefetched.since <= since;
    const isThere = isOfAccount && !prefetched.isLeftOut;
    const { digests } = isThere ? prefetched : await this.#readAlone(em, account, since);
    return splitDigests(digests);
  }
}
