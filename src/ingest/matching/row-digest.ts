import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';

/**
 * Separates the fields of a digest. No provider text contains it: the mappers replace whatever is invisible by a space.
 */
export const FIELD_END = '\u001f';

/** Makes the digest that a transaction has when it is stored. */
export function digestOf(row: SnapshotTransaction): string {
  const { externalId, date, amountMinor, currency, pending, description, merchant } = row;
  const amount = `${amountMinor}${FIELD_END}${currency}${FIELD_END}${pending ? 't' : 'f'}`;
  const digest = `${externalId}${FIELD_END}${date}${FIELD_END}${amount}${FIELD_END}${description}`;
  // The merchant is last, because concat_ws omits the separator of a null.
  return merchant === null ? digest : digest + FIELD_END + merchant;
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

export function externalIdOf(digest: string): string {
  return digest.slice(0, digest.indexOf(FIELD_END));
}

/** Everything but the external id. */
export function contentOfDigest(digest: string): string {
  return digest.slice(digest.indexOf(FIELD_END));
}

export function dateOf(digest: string): CalendarDate {
  return digest.split(FIELD_END, 2)[1]!;
}
