import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { plainArray, textArray } from './array-literal.js';

// Characters that no text of a provider has: whatever cannot be seen becomes a space before it gets here.
const FIELD_END = '\u001f';
const ROW_END = '\u001e';

/** All rows as one text. */
const TEXT = sql<string>`concat_ws(${FIELD_END}, external_id, date, amount_minor, currency, pending, description, merchant)`;

/** The rows of an account from a day on. */
export interface RowsSince {
  accountId: string;
  since: CalendarDate;
}

/**
 * What is stored of accounts from a day on, by account, every row as one text and all of them as a long one: see
 * {@link rowsOf}. Most rows of an answer are stored exactly so, and reading them as one long text is several times cheaper
 * than handing the answer to the database to be compared. One account after the other, since PostgreSQL would sort the
 * rows of all of them to aggregate them by account.
 */
export async function storedTexts(
  em: EntityManager,
  userId: string,
  accounts: readonly RowsSince[],
): Promise<Map<string, string | null>> {
  if (accounts.length === 0) return new Map();
  const { rows } = await sql<{ id: string; texts: string | null }>`
    select expected.id, stored.texts
    from unnest(
      ${plainArray(accounts.map(({ accountId }) => accountId))}::uuid[],
      ${plainArray(accounts.map(({ since }) => since))}::date[]
    ) as expected (id, since)
    cross join lateral (
      select string_agg(${TEXT}, ${ROW_END}) as texts from transactions
      where user_id = ${userId} and account_id = expected.id and date >= expected.since
    ) stored
  `.execute(em.getKysely());
  return new Map(rows.map(({ id, texts }) => [id, texts]));
}

/** The rows that a long text is made of. */
export function rowsOf(texts: string | null | undefined): string[] {
  return texts?.split(ROW_END) ?? [];
}

/**
 * What is stored of the rows with some ids, whatever their day, by id. By a list and not by a join: of an account that was
 * first synced a moment ago the planner knows nothing yet, and would read all of it for every single id.
 */
export async function storedTextsById(
  em: EntityManager,
  { userId, id }: Pick<Account, 'userId' | 'id'>,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map();
  const { rows } = await sql<{ texts: string | null }>`
    select string_agg(${TEXT}, ${ROW_END}) as texts from transactions
    where user_id = ${userId} and account_id = ${id} and external_id = any(${textArray(externalIds)}::text[])
  `.execute(em.getKysely());
  return new Map(rowsOf(rows[0]!.texts).map((text) => [idOfText(text), text]));
}

/** A row as {@link storedTexts} would give it. */
export function storedText(row: SnapshotTransaction): string {
  const { externalId, date, amountMinor, currency, pending, description, merchant } = row;
  const amount = `${amountMinor}${FIELD_END}${currency}${FIELD_END}${pending ? 't' : 'f'}`;
  const text = `${externalId}${FIELD_END}${date}${FIELD_END}${amount}${FIELD_END}${description}`;
  // Last, since no merchant leaves its separator out, too.
  return merchant === null ? text : text + FIELD_END + merchant;
}

export function idOfText(text: string): string {
  return text.slice(0, text.indexOf(FIELD_END));
}

/** Everything but the id of a row, of its text. */
export function contentOfText(text: string): string {
  return text.slice(text.indexOf(FIELD_END));
}

/** The day of a row, of its text. */
export function dateOfText(text: string): CalendarDate {
  return text.split(FIELD_END, 2)[1]!;
}
