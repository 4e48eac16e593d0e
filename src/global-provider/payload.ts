import { z } from 'zod';
import { limitedList, MAX_ACCOUNTS, MAX_HOLDINGS, MAX_TRANSACTIONS } from '../bank-provider/answer-limits.js';
import { contradictionOf, type StatedFact } from '../bank-provider/contradicting-listings.js';
import type { ProviderReply } from '../bank-provider/http/provider-http.js';
import {
  check,
  checkAccounts,
  type Checked,
  type CheckedAccounts,
  decimal,
  id,
  parsePayload,
  text,
  wireFlag,
} from '../bank-provider/parse-payload.js';
import type { ProviderProblem } from '../bank-provider/provider-error.js';
import { lineOf, reportedCurrency } from '../bank-provider/read-values.js';

// The documented answers together with an older dialect. Members that are not named are dropped. Upstream providers,
// states and error texts are open sets, so they are not checked.

const blank = z
  .string()
  .regex(/^\s*$/)
  .transform(() => null);

/** A number, or its text. */
const COUNT = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
/** How many there are, listed or not; `NaN`: it cannot be read. */
const TOTAL = COUNT.nullish().catch(Number.NaN);

const ACCOUNTS = z.object({ accounts: limitedList(MAX_ACCOUNTS, 'accounts'), total: TOTAL });

const ACCOUNT = z.object({
  id,
  name: text,
  institution_name: text,
  provider: text,
  currency: text,
  status: text,
});

const BALANCE = z.object({
  balance: z
    .object({
      amount: decimal.nullish(),
      current: decimal.nullish(),
      available: decimal.nullish().catch(null),
      currency: text,
    })
    .nullable(),
});

const TRANSACTIONS = z.object({
  // Checked one by one, so that an invalid row does not invalidate the others.
  transactions: limitedList(MAX_TRANSACTIONS, 'transactions'),
  total: TOTAL,
});

const NAMED_ACCOUNT = id.nullish().catch(null);

const TRANSACTION = z.object({
  id: z.union([id, blank]).nullish(),
  accountId: NAMED_ACCOUNT,
  account_id: NAMED_ACCOUNT,
  amount: decimal,
  currency: text,
  date: z.string(),
  merchant: text,
  merchant_name: text,
  description: text,
  isPending: wireFlag.nullish(),
  pending: wireFlag.nullish(),
});

/** No decimal number. */
const UNREADABLE = '?';

const HOLDINGS = z.object({
  holdings: limitedList(MAX_HOLDINGS, 'holdings'),
  totalValue: decimal.nullish().catch(UNREADABLE),
  currency: text,
});

const HOLDING = z.object({
  // `cusp` is how the provider spells it.
  security: z.object({ name: text, currency: text, tickerSymbol: text, figi: text, isin: text, cusp: text }).nullish(),
  quantity: decimal,
  price: decimal.nullish(),
  value: decimal,
  currency: text,
  // The records of upstream providers by their names; only the id is used.
  raw: z.record(id, z.object({ id }).nullish().catch(null)).nullish().catch(null),
});

const REFUSAL = z.object({ error: text, message: text });

export type WireAccount = z.output<typeof ACCOUNT>;
export type WireBalance = NonNullable<z.output<typeof BALANCE>['balance']>;
export type WireTransactions = z.output<typeof TRANSACTIONS>;
export type WireTransaction = z.output<typeof TRANSACTION>;
export type WireHoldings = z.output<typeof HOLDINGS>;
export type WireHolding = z.output<typeof HOLDING>;

type Reply = Pick<ProviderReply, 'body'>;

/** The accounts of a list, each once, and how many it and the provider have. */
export interface ListedAccounts extends CheckedAccounts<WireAccount> {
  count: number;
  total: number;
  /** Of accounts whose listings contradict each other. */
  contradictions: ProviderProblem[];
}

/**
 * The list of accounts. One that is listed twice counts once, or not at all where its listings contradict each other.
 *
 * @throws ProviderError `unexpected_reply` when no account is valid; `answer_too_large`
 */
export function readAccounts(reply: Reply): ListedAccounts {
  const what = 'The provider’s list of accounts';
  const { accounts: items, total } = parsePayload(ACCOUNTS, reply, what);
  const { accounts, issues } = checkAccounts(ACCOUNT, items, what);
  const distinct: WireAccount[] = [];
  const contradictions: ProviderProblem[] = [];
  for (const [id, listings] of Map.groupBy(accounts, (wire) => wire.id)) {
    const contradiction = contradictionOf(id, listings, statementsOf);
    if (contradiction) contradictions.push(contradiction);
    else distinct.push(listings[0]!);
  }
  return { accounts: distinct, issues, contradictions, count: items.length, total: total ?? items.length };
}

function statementsOf({ name, institution_name, currency, status }: WireAccount): StatedFact[] {
  return [
    { fact: 'name', value: lineOf(name) },
    { fact: 'institution', value: lineOf(institution_name) },
    { fact: 'currency', value: reportedCurrency(currency) },
    { fact: 'status', value: lineOf(status)?.toLowerCase() ?? null },
  ];
}

/**
 * @returns `null`: not reported, which is not zero
 * @throws ProviderError `unexpected_reply`
 */
export function readBalance(reply: Reply): WireBalance | null {
  return parsePayload(BALANCE, reply, 'The provider’s balance').balance;
}

/** @throws ProviderError `unexpected_reply` */
export function readTransactions(reply: Reply): WireTransactions {
  return parsePayload(TRANSACTIONS, reply, 'The provider’s list of transactions');
}

export function readTransaction(item: unknown): Checked<WireTransaction> {
  return check(TRANSACTION, item);
}

/** @throws ProviderError `unexpected_reply` */
export function readHoldings(reply: Reply): WireHoldings {
  return parsePayload(HOLDINGS, reply, 'The provider’s list of holdings');
}

/** @param index its place in the list */
export function readHolding(item: unknown, index: number): Checked<WireHolding> {
  return check(HOLDING, item, `$.holdings[${index}]`);
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
