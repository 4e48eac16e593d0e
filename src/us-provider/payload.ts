import { z } from 'zod';

// Both dialects of the answer in one: an older server puts the institution into each account and sends `errors`, a newer
// one sends `connections` and `errlist`. Both may come whatever was asked for. Unknown members are dropped.

const decimal = z.union([z.string(), z.number().transform(String)]);
const seconds = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
]);
const text = z.string().nullish();
const flag = z.union([z.boolean(), z.number().transform((value) => value !== 0)]).nullish();

const transaction = z.object({
  id: z.union([z.string().min(1), z.number().transform(String)]),
  posted: seconds.nullish(),
  amount: decimal,
  description: text,
  transacted_at: seconds.nullish(),
  pending: flag,
  payee: text,
  memo: text,
  currency: text,
});

const holding = z.object({
  id: z.string().nullish(),
  currency: text,
  symbol: text,
  description: text,
  shares: decimal.nullish(),
  quantity: decimal.nullish(),
  market_value: decimal.nullish(),
  cost_basis: decimal.nullish(),
  purchase_price: decimal.nullish(),
});

const account = z.object({
  id: z.string().min(1),
  name: text,
  org: z.object({ name: text, domain: text, id: text }).nullish(),
  conn_id: text,
  currency: text,
  balance: decimal.nullish(),
  'available-balance': decimal.nullish(),
  'balance-date': seconds.nullish(),
  transactions: z.array(transaction).nullish(),
  holdings: z.array(holding).nullish(),
});

const structuredError = z.object({ code: text, msg: text, message: text, conn_id: text, account_id: text });

export const ACCOUNT_SET = z.object({
  errors: z.array(z.string()).nullish(),
  errlist: z.array(z.union([z.string(), structuredError])).nullish(),
  connections: z.array(z.object({ conn_id: z.string(), name: text, org_name: text })).nullish(),
  accounts: z.array(account),
});

export const SERVER_INFO = z.object({ versions: z.array(z.string()) });

export type AccountSet = z.output<typeof ACCOUNT_SET>;
export type WireAccount = z.output<typeof account>;
export type WireTransaction = z.output<typeof transaction>;
export type WireHolding = z.output<typeof holding>;
export type WireConnection = NonNullable<AccountSet['connections']>[number];
