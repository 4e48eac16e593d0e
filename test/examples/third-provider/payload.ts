import { z } from 'zod';
import { limitedList, MAX_ACCOUNTS, MAX_TRANSACTIONS } from '../../../src/providers/answer-limits.js';
import type { RawTransaction } from '../../../src/providers/feed/rows.js';
import type { ProviderReply } from '../../../src/providers/http/provider-http.js';
import {
  check,
  checkAccounts,
  type CheckedAccounts,
  decimal,
  id,
  parsePayload,
  text,
} from '../../../src/providers/parse-payload.js';
import { writtenInText } from '../../../src/providers/read-values.js';

// Members that are not named are dropped. Only what nothing works without is required.

const ACCOUNT = z.object({
  id,
  name: text,
  bank: text,
  currency: text,
  balance: decimal.nullish(),
  balance_date: text,
});

const TRANSACTION = z
  .object({ id, account_id: id, date: z.iso.date(), amount: decimal, description: text, status: text })
  .transform(({ id, account_id: accountId, date, amount, description, status }): RawTransaction => {
    const named = { id, accountId, amount, description, merchant: null, currency: null };
    return { ...named, written: writtenInText(date), pending: status === 'pending' };
  });

export type WireAccount = z.output<typeof ACCOUNT>;

// Items are checked one by one, so that one that cannot be read does not hide the others.
const ACCOUNTS = z.object({ accounts: limitedList(MAX_ACCOUNTS, 'accounts') });
const TRANSACTIONS = z.object({ transactions: limitedList(MAX_TRANSACTIONS, 'transactions') });
const OF_ACCOUNT = z.object({ account_id: id });

/** @throws ProviderError `unexpected_reply` when no account is valid; `answer_too_large` */
export function readAccounts(reply: ProviderReply): CheckedAccounts<WireAccount> {
  const what = 'The provider’s list of accounts';
  return checkAccounts(ACCOUNT, parsePayload(ACCOUNTS, reply, what).accounts, what);
}

/**
 * @returns the items by the id of their account; those that name no account are under `null`
 * @throws ProviderError `unexpected_reply`; `answer_too_large`
 */
export function readTransactions(reply: ProviderReply): Map<string | null, unknown[]> {
  const { transactions } = parsePayload(TRANSACTIONS, reply, 'The provider’s list of transactions');
  return Map.groupBy(transactions, (item) => check(OF_ACCOUNT, item).value?.account_id ?? null);
}

/** `null`: it cannot be read. */
export function readTransaction(item: unknown): RawTransaction | null {
  return check(TRANSACTION, item).value;
}
