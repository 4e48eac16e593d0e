import type { z } from 'zod';
import type { PartlyParsed } from '../bank-provider/json-in-parts.js';
import { check, type Checked, parsePayload } from '../bank-provider/parse-payload.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import { WorkSlices } from '../time/work-slices.js';
import {
  ACCOUNT,
  ACCOUNTS,
  BALANCE,
  HOLDING,
  HOLDINGS,
  IDENTIFIED,
  REFUSAL,
  TRANSACTION,
  TRANSACTIONS,
} from './schemas.js';
import { usualTransaction } from './usual-transaction.js';

export type WireAccount = z.output<typeof ACCOUNT>;
export type WireBalance = NonNullable<z.output<typeof BALANCE>['balance']>;
export type WireTransactions = z.output<typeof TRANSACTIONS>;
export type WireTransaction = z.output<typeof TRANSACTION>;
export type WireHoldings = z.output<typeof HOLDINGS>;
export type WireHolding = z.output<typeof HOLDING>;

/** An answer to `/accounts`. */
export interface AccountList {
  accounts: WireAccount[];
  /** Accounts that are not as expected; `id` where at least that could be read. */
  surprises: { id: string | null; surprise: string }[];
}

/**
 * @throws ProviderError `unexpected_reply` when nothing is as expected; one account does not spoil the others;
 * `answer_too_large` for more than are read
 */
export async function readAccounts(reply: PartlyParsed, signal: AbortSignal): Promise<AccountList> {
  const { accounts: raw } = parsePayload(ACCOUNTS, reply, 'The provider’s list of accounts');
  const accounts = new Map<string, WireAccount>();
  const surprises: AccountList['surprises'] = [];
  const slices = new WorkSlices(signal);
  for (const [index, item] of raw.entries()) {
    if (slices.isOver) await slices.giveWay();
    const { value, surprise } = check(ACCOUNT, item, `$.accounts[${index}]`);
    if (surprise !== null) surprises.push({ id: check(IDENTIFIED, item).value?.id ?? null, surprise });
    else if (!accounts.has(value.id)) accounts.set(value.id, value);
  }
  const [first] = surprises;
  if (first && accounts.size === 0) {
    throw new ProviderError(
      'unexpected_reply',
      `The provider’s list of accounts is not as expected at ${first.surprise}.`,
    );
  }
  return { accounts: [...accounts.values()], surprises };
}

/**
 * @returns `null`: nothing told, which is not zero
 * @throws ProviderError `unexpected_reply`
 */
export function readBalance(reply: PartlyParsed): WireBalance | null {
  return parsePayload(BALANCE, reply, 'The provider’s balance').balance;
}

/** @throws ProviderError `unexpected_reply` */
export function readTransactions(reply: PartlyParsed): WireTransactions {
  return parsePayload(TRANSACTIONS, reply, 'The provider’s list of transactions');
}

export function readTransaction(item: unknown): Checked<WireTransaction> {
  const usual = usualTransaction(item);
  return usual ? { value: usual, surprise: null } : check(TRANSACTION, item);
}

/** @throws ProviderError `unexpected_reply` */
export function readHoldings(reply: PartlyParsed): WireHoldings {
  return parsePayload(HOLDINGS, reply, 'The provider’s list of holdings');
}

export function readHolding(item: unknown): Checked<WireHolding> {
  return check(HOLDING, item);
}

/** The provider's own words of refusal, never to be shown; `null` for a page, and for what somebody else says. */
export function readRefusal(body: string): string | null {
  try {
    const { error, message } = REFUSAL.parse(JSON.parse(body));
    return [error, message].join(' ').trim() || null;
  } catch {
    return null;
  }
}
