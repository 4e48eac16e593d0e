import { z } from 'zod';
import { limitedList, MAX_ACCOUNTS, MAX_HOLDINGS, MAX_MESSAGES } from '../bank-provider/answer-limits.js';
import { decimal, id, text, wireFlag } from '../bank-provider/parse-payload.js';

// Both dialects of the answer: an older server puts the institution into each account and sends `errors`, a newer one
// sends `connections` and `errlist`. An answer may mix them. Members that are not named are dropped.

/** Unix seconds; anything but a whole number counts as not given, never as 0. */
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
  pending: wireFlag.nullish(),
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
  // Checked one by one, so that an invalid row does not invalidate the others.
  transactions: z.array(z.unknown()).nullish(),
  holdings: limitedList(MAX_HOLDINGS, 'holdings').nullish(),
});

/** Any value in a list of errors is an error. */
const REPORTED_ERROR = z.union([
  z.string(),
  z.object({ code: text, msg: text, message: text, conn_id: text, account_id: text }),
  z.unknown().transform(() => ({ code: null, msg: null, message: null, conn_id: null, account_id: null })),
]);

const reportedErrors = limitedList(MAX_MESSAGES, 'messages').pipe(z.array(REPORTED_ERROR)).nullish();

export const ERROR_LISTS = z.object({ errors: reportedErrors, errlist: reportedErrors });

export const ENVELOPE = ERROR_LISTS.extend({
  connections: limitedList(MAX_ACCOUNTS, 'connections')
    .pipe(z.array(z.object({ conn_id: text, name: text, org_name: text })))
    .nullish(),
  // Checked one by one, like the rows.
  accounts: limitedList(MAX_ACCOUNTS, 'accounts'),
});

/** The least that identifies an invalid account. */
export const IDENTIFIED = z.object({ id });

export const SERVER_INFO = z.object({ versions: z.array(z.string()) });
