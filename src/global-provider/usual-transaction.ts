import type { z } from 'zod';
import { decimalTextOf, isFlagOrAbsent, isTextOrAbsent, isUsualId } from '../bank-provider/wire-values.js';
import type { TRANSACTION } from './schemas.js';

type WireTransaction = z.output<typeof TRANSACTION>;

/** What the schema makes of a row that is as documented; `null` for any other, which is for the schema to judge. */
export function usualTransaction(item: unknown): WireTransaction | null {
  if (typeof item !== 'object' || item === null) return null;
  const row = item as Partial<Record<keyof WireTransaction, unknown>>;
  const { id, currency, date, merchant, merchant_name, description, isPending, pending } = row;
  const amount = decimalTextOf(row.amount);
  if (!isUsualId(id) || amount === null || typeof date !== 'string') return null;
  if (!isTextOrAbsent(currency) || !isTextOrAbsent(description)) return null;
  if (!isTextOrAbsent(merchant) || !isTextOrAbsent(merchant_name)) return null;
  if (!isFlagOrAbsent(isPending) || !isFlagOrAbsent(pending)) return null;
  return { id, amount, currency, date, merchant, merchant_name, description, isPending, pending };
}
