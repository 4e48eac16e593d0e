import type { z } from 'zod';
import {
  decimalTextOf,
  isFlagOrAbsent,
  isNumberOrAbsent,
  isTextOrAbsent,
  isUsualId,
} from '../bank-provider/wire-values.js';
import type { TRANSACTION } from './schemas.js';

type WireTransaction = z.output<typeof TRANSACTION>;

/** Reads a row in the documented form, as the schema would; `null`: the schema must check it. */
export function usualTransaction(item: unknown): WireTransaction | null {
  if (typeof item !== 'object' || item === null) return null;
  const row = item as Partial<Record<keyof WireTransaction, unknown>>;
  const { id, posted, description, transacted_at, pending, payee, memo, currency } = row;
  const amount = decimalTextOf(row.amount);
  if (!isUsualId(id) || amount === null) return null;
  if (!isNumberOrAbsent(posted) || !isNumberOrAbsent(transacted_at) || !isFlagOrAbsent(pending)) return null;
  if (!isTextOrAbsent(description) || !isTextOrAbsent(payee)) return null;
  if (!isTextOrAbsent(memo) || !isTextOrAbsent(currency)) return null;
  return { id, posted, amount, description, transacted_at, pending, payee, memo, currency };
}
