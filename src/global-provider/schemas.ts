import { z } from 'zod';
import { limitedList, MAX_ACCOUNTS, MAX_HOLDINGS, MAX_TRANSACTIONS } from '../bank-provider/answer-limits.js';
import { decimal, id, text, wireFlag } from '../bank-provider/parse-payload.js';

// The documented answers together with an older dialect. Members that are not named are dropped. Upstream providers,
// states and error texts are open sets, so they are not checked.

const blank = z
  .string()
  .regex(/^\s*$/)
  .transform(() => null);

export const ACCOUNTS = z.object({ accounts: limitedList(MAX_ACCOUNTS, 'accounts') });

/** The least that identifies an invalid account. */
export const IDENTIFIED = z.object({ id });

export const ACCOUNT = z.object({
  id,
  name: text,
  institution_name: text,
  provider: text,
  currency: text,
  status: text,
});

export const BALANCE = z.object({
  balance: z
    .object({ amount: decimal.nullish(), current: decimal.nullish(), available: decimal.nullish(), currency: text })
    .nullable(),
});

export const TRANSACTIONS = z.object({
  // Checked one by one, so that an invalid row does not invalidate the others.
  transactions: limitedList(MAX_TRANSACTIONS, 'transactions'),
  total: z.number().nullish().catch(null),
});

export const TRANSACTION = z.object({
  id: z.union([id, blank]).nullish(),
  amount: decimal,
  currency: text,
  date: z.string(),
  merchant: text,
  merchant_name: text,
  description: text,
  isPending: wireFlag.nullish(),
  pending: wireFlag.nullish(),
});

export const HOLDINGS = z.object({
  holdings: limitedList(MAX_HOLDINGS, 'holdings'),
  totalValue: decimal.nullish(),
  currency: text,
});

export const HOLDING = z.object({
  // `cusp` is how the provider spells it.
  security: z.object({ name: text, currency: text, tickerSymbol: text, figi: text, isin: text, cusp: text }).nullish(),
  quantity: decimal,
  price: decimal.nullish(),
  value: decimal,
  currency: text,
  // The records of upstream providers by their names; only the id is used.
  raw: z.record(z.string(), z.object({ id }).nullish().catch(null)).nullish().catch(null),
});

export const REFUSAL = z.object({ error: text, message: text });
