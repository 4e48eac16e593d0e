import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { textArray } from './array-literal.js';

// Characters that no text of a provider has: whatever cannot be seen becomes a space before it gets here.
const FIELD_END = '\u001f';
const ROW_END = '\u001e';

type StoredWhere = Pick<Account, 'userId' | 'id'>;

/**
 * What is stored of an account from a day on, every row as one text. Most rows of an answer are stored exactly so, and
 * reading them as one long text is several times cheaper than handing the answer to the database to be compared.
 */
export async function storedTexts(em: EntityManager, account: StoredWhere, since: CalendarDate): Promise<Set<string>> {
  return new Set(await readTexts(em, account, sql`date >= ${since}`));
}

/** The same of the rows with some ids, whatever their day, by id. */
export async function storedTextsById(
  em: EntityManager,
  account: StoredWhere,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map();
  const texts = await readTexts(em, account, sql`external_id = any(${textArray(externalIds)}::text[])`);
  return new Map(texts.map((text) => [text.slice(0, text.indexOf(FIELD_END)), text]));
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
): Promise<string[]> {
  const { rows } = await sql<{ texts: string | null }>`
    select string_agg(
      concat_ws(${FIELD_END}, external_id, date, amount_minor, currency, pending, description, merchant), ${ROW_END}
    ) as texts
    from transactions where user_id = ${userId} and account_id = ${id} and ${which}
  `.execute(em.getKysely());
  return rows[0]?.texts?.split(ROW_END) ?? [];
}
