import { z } from 'zod';
import { decimal, id, parsePayload, text } from '../../../src/bank-provider/parse-payload.js';
import type { ProviderReply } from '../../../src/bank-provider/provider-http.js';

// Members that are not named are dropped. Only what nothing works without is required.

const ACCOUNT = z.object({
  id,
  name: text,
  bank: text,
  currency: text,
  balance: decimal.nullish(),
  balance_date: z.iso.date().nullish().catch(null),
});

const TRANSACTION = z.object({
  id,
  account_id: id,
  date: z.iso.date(),
  amount: decimal,
  description: text,
  status: text,
});

export type WireAccount = z.output<typeof ACCOUNT>;
export type WireTransaction = z.output<typeof TRANSACTION>;

const ACCOUNTS = z.object({ accounts: z.array(ACCOUNT) });
const TRANSACTIONS = z.object({ transactions: z.array(TRANSACTION) });

/** @throws ProviderError `unexpected_reply` */
export function readAccounts(reply: ProviderReply): WireAccount[] {
  return parsePayload(ACCOUNTS, reply, 'The provider’s list of accounts').accounts;
}

/** @throws ProviderError `unexpected_reply` */
export function readTransactions(reply: ProviderReply): WireTransaction[] {
  return parsePayload(TRANSACTIONS, reply, 'The provider’s list of transactions').transactions;
}
