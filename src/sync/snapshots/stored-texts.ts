import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { plainArray, textArray } from './array-literal.js';

// Characters that no text of a provider has: whatever cannot be seen becomes a space before it gets here.
const FIELD_END = '\u001f';
const ROW_END = '\u001e';

/** All rows as one text. */
const TEXTS = sql<string>`string_agg(
  concat_ws(${FIELD_END}, external_id, date, amount_minor, currency, pending, description, merchant), ${ROW_END})`;

type StoredWhere = Pick<Account, 'userId' | 'id'>;

/** An account whose rows from a day on are going to be asked for. */
export interface ExpectedAccount {
  externalId: string;
  accountId: string;
  since: CalendarDate;
}

/**
 * What is stored of an account from a day on, every row as one text. Most rows of an answer are stored exactly so, and
 * reading them as one long text is several times cheaper than handing the answer to the database to be compared.
 */
export async function storedTexts(em: EntityManager, account: StoredWhere, since: CalendarDate): Promise<Set<string>> {
  return rowsOf(await readTexts(em, account, sql`date >= ${since}`));
}

/**
 * The same of several accounts at once, by account, and not taken apart yet: see {@link rowsOf}. One account after the
 * other, since PostgreSQL would sort the long rows of all of them to aggregate them by account.
 */
export async function storedTextsOf(
  em: EntityManager,
  userId: string,
  accounts: readonly ExpectedAccount[],
): Promise<Map<string, string | null>> {
  if (accounts.length === 0) return new Map();
  const { rows } = await sql<{ id: string; texts: string | null }>`
    select expected.id, stored.texts
    from unnest(
      ${plainArray(accounts.map(({ accountId }) => accountId))}::uuid[],
      ${plainArray(accounts.map(({ since }) => since))}::date[]
    ) as expected (id, since)
    cross join lateral (
      select ${TEXTS} as texts from transactions
      where user_id = ${userId} and account_id = expected.id and date >= expected.since
    ) stored
  `.execute(em.getKysely());
  return new Map(rows.map(({ id, texts }) => [id, texts]));
}

/** The rows that a long text is made of. */
export function rowsOf(texts: string | null | undefined): Set<string> {
  return new Set(texts?.split(ROW_END));
}

/** The same of the rows with some ids, whatever their day, by id. */
export async function storedTextsById(
  em: EntityManager,
  account: StoredWhere,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map();
  const texts = await readTexts(em, account, sql`external_id = any(${textArray(externalIds)}::text[])`);
  return new Map([...rowsOf(texts)].map((text) => [text.slice(0, text.indexOf(FIELD_END)), text]));
}

/** A row as {@link storedTexts} would give it. */
export function storedText(row: SnapshotTransaction): string {
  const { externalId, date, amountMinor, currency, pending, description, merchant } = row;
  const amount = `${amountMinor}${FIELD_END}${currency}${FIELD_END}${pending ? 't' : 'f'}`;
  const text = `${externalId}${FIELD_END}${date}${FIELD_END}${amount}${FIELD_END}${description}`;
  // Last, since no merchant leaves its separator out, too.
  return merchant === null ? text : text + FIELD_END + merchant;
}

/** The day of a row, of its text. */
export function dateOfText(text: string): CalendarDate {
  return text.split(FIELD_END, 2)[1]!;
}

async function readTexts(
  em: EntityManager,
  { userId, id }: StoredWhere,
  which: RawBuilder<unknown>,
): Promise<string | null> {
  const { rows } = await sql<{ texts: string | null }>`
    select ${TEXTS} as texts from transactions where user_id = ${userId} and account_id = ${id} and ${which}
  `.execute(em.getKysely());
  return rows[0]!.texts;
}
