import { z } from 'zod';
import { limitedList, MAX_ACCOUNTS, MAX_HOLDINGS, MAX_MESSAGES } from '../bank-provider/answer-limits.js';
import { decimal, flag, id, text } from '../bank-provider/wire-values.js';

// Both dialects of the answer in one: an older server puts the institution into each account and sends `errors`, a newer
// one sends `connections` and `errlist`. Both may come whatever was asked for. Members that are not named are dropped.

/** Unix seconds; what is no whole number is as if not given: it is never taken for a 0. */
const seconds = z.union([
  z.number(),
  z.string().transform((text) => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : null)),
]);
export const TRANSACTION = z.object({
  id,
  posted: seconds.nullish(),
  amount: decimal,
  description: text,
  transacted_at: seconds.nullish(),
  pending: flag.nullish(),
  payee: text,
  memo: text,
  currency: text,
});

export const HOLDING = z.object({
  currency: text,
  symbol: text,
  description: text,
  shares: decimal.nullish(),
  quantity: decimal.nullish(),
  market_value: decimal.nullish(),
  cost_basis: decimal.nullish(),
  purchase_price: decimal.nullish(),
});

export const ACCOUNT = z.object({
  id,
  name: text,
  org: z.object({ name: text, domain: text, id: text }).nullish(),
  conn_id: text,
  conn_name: text,
  currency: text,
  balance: decimal.nullish(),
  'available-balance': decimal.nullish(),
  'balance-date': seconds.nullish(),
  // Checked one by one: a row that surprises is not worth all the others.
  transactions: z.array(z.unknown()).nullish(),
  holdings: limitedList(MAX_HOLDINGS, 'holdings').nullish(),
});

/** Whatever stands in a list of errors is an error. */
const COMPLAINT = z.union([
  z.string(),
  z.object({ code: text, msg: text, message: text, conn_id: text, account_id: text }),
  z.unknown().transform(() => ({ code: null, msg: null, message: null, conn_id: null, account_id: null })),
]);

const complaints = limitedList(MAX_MESSAGES, 'messages').pipe(z.array(COMPLAINT)).nullish();

export const COMPLAINTS = z.object({ errors: complaints, errlist: complaints });

export const ENVELOPE = COMPLAINTS.extend({
  connections: limitedList(MAX_ACCOUNTS, 'connections')
    .pipe(z.array(z.object({ conn_id: text, name: text, org_name: text })))
    .nullish(),
  // Checked one by one, like the rows of each.
  accounts: limitedList(MAX_ACCOUNTS, 'accounts'),
});

/** All of an account that could not be read in full. */
export const IDENTIFIED = z.object({ id });

export const SERVER_INFO = z.object({ versions: z.array(z.string()) });
