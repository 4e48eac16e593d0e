import type { z } from 'zod';
import type { PartlyParsed } from '../bank-provider/json-in-parts.js';
import {
  check,
  type Checked,
  decimalTextOf,
  isFlagOrAbsent,
  isTextOrAbsent,
  isUsualId,
  parsePayload,
} from '../bank-provider/parse-payload.js';
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

export type WireAccount = z.output<typeof ACCOUNT>;
export type WireBalance = NonNullable<z.output<typeof BALANCE>['balance']>;
export type WireTransactions = z.output<typeof TRANSACTIONS>;
export type WireTransaction = z.output<typeof TRANSACTION>;
export type WireHoldings = z.output<typeof HOLDINGS>;
export type WireHolding = z.output<typeof HOLDING>;

/** An answer to `/accounts`. */
export interface AccountList {
  accounts: WireAccount[];
  /** Invalid accounts; `id` unless even that is invalid. */
  issues: { id: string | null; issue: string }[];
}

/**
 * @throws ProviderError `unexpected_reply` when no account is valid; `answer_too_large`
 */
export async function readAccounts(reply: PartlyParsed, signal: AbortSignal): Promise<AccountList> {
  const { accounts: raw } = parsePayload(ACCOUNTS, reply, 'The provider’s list of accounts');
  const accounts = new Map<string, WireAccount>();
  const issues: AccountList['issues'] = [];
  const slices = new WorkSlices(signal);
  for (const [index, item] of raw.entries()) {
    if (slices.isOver) await slices.giveWay();
    const { value, issue } = check(ACCOUNT, item, `$.accounts[${index}]`);
    if (issue !== null) issues.push({ id: check(IDENTIFIED, item).value?.id ?? null, issue });
    else if (!accounts.has(value.id)) accounts.set(value.id, value);
  }
  const [first] = issues;
  if (first && accounts.size === 0) {
    throw new ProviderError(
      'unexpected_reply',
      `The provider’s list of accounts is not as expected at ${first.issue}.`,
    );
  }
  return { accounts: [...accounts.values()], issues };
}

/**
 * @returns `null`: not reported, which is not zero
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
  return usual ? { value: usual, issue: null } : check(TRANSACTION, item);
}

/** @throws ProviderError `unexpected_reply` */
export function readHoldings(reply: PartlyParsed): WireHoldings {
  return parsePayload(HOLDINGS, reply, 'The provider’s list of holdings');
}

export function readHolding(item: unknown): Checked<WireHolding> {
  return check(HOLDING, item);
}

/** The text of the provider's own refusal, which is never shown; `null`: a web page, or the refusal of a proxy. */
export function refusalTextOf(body: string): string | null {
  try {
    const { error, message } = REFUSAL.parse(JSON.parse(body));
    return [error, message].join(' ').trim() || null;
  } catch {
    return null;
  }
}

/** Reads a row in the documented form, as the schema would; `null`: the schema must check it. */
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
