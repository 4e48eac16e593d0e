import { z } from 'zod';
import { limitedList, MAX_ACCOUNTS, MAX_HOLDINGS, MAX_TRANSACTIONS } from '../answer-limits.js';
import { contradictionOf, type StatedFact } from '../contradicting-listings.js';
import type { RawHolding, RawHoldings } from '../feed/holdings.js';
import type { RawTransaction } from '../feed/rows.js';
import type { RawBalance } from '../feed/to-account.js';
import type { ProviderReply } from '../http/provider-http.js';
import {
  check,
  checkAccounts,
  type CheckedAccounts,
  decimal,
  id,
  parsePayload,
  text,
  wireFlag,
} from '../parse-payload.js';
import type { ProviderProblem } from '../provider-error.js';
import { lineOf, reportedCurrency, withoutMarkup, type WireText, writtenInText } from '../read-values.js';

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

/** Upstream providers that connect brokers only. */
const BROKERAGE = new Set(['snaptrade']);

export function isAtBroker({ provider }: WireAccount): boolean {
  return BROKERAGE.has(provider?.trim().toLowerCase() ?? '');
}

/** Whether the provider still reads the account. No state means yes, an unknown one means no. */
export function isConnected({ status }: WireAccount): boolean {
  const state = status?.trim() ?? '';
  return state === '' || /^active$/i.test(state);
}

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

/** A bank's memo; `null` for none, and for the word “undefined”, which some upstream provider sends. */
function memo(memo: WireText): string | null {
  const words = lineOf(withoutMarkup(memo?.slice(0, 4 * MAX_MEMO_CHARS) ?? ''), MAX_MEMO_CHARS);
  return words === 'undefined' ? null : words;
}
const MAX_MEMO_CHARS = 500;

const TRANSACTION = z
  .object({
    id: z.union([id, blank]).nullish(),
    accountId: NAMED_ACCOUNT,
    account_id: NAMED_ACCOUNT,
    amount: decimal,
    currency: text,
    date: z
      .string()
      .transform(writtenInText)
      .refine((written) => written !== null),
    merchant: text,
    merchant_name: text,
    description: text,
    isPending: wireFlag.nullish(),
    pending: wireFlag.nullish(),
  })
  .transform(({ id, amount, currency, date, ...wire }): RawTransaction => ({
    amount,
    currency,
    id: id ?? null,
    written: date,
    accountId: wire.accountId ?? wire.account_id ?? null,
    description: memo(wire.description),
    merchant: memo(wire.merchant) ?? memo(wire.merchant_name),
    pending: wire.isPending ?? wire.pending ?? false,
  }));

/** No decimal number. */
const UNREADABLE = '?';

const HOLDINGS = z.object({
  holdings: limitedList(MAX_HOLDINGS, 'holdings'),
  totalValue: decimal.nullish().catch(UNREADABLE),
  currency: text,
});

const HOLDING = z
  .object({
    // `cusp` is how the provider spells it.
    security: z
      .object({ name: text, currency: text, tickerSymbol: text, figi: text, isin: text, cusp: text })
      .nullish(),
    quantity: decimal,
    price: decimal.nullish(),
    value: decimal,
    currency: text,
    // The records of upstream providers by their names; only the id is used.
    raw: z.record(id, z.object({ id }).nullish().catch(null)).nullish().catch(null),
  })
  .transform(({ security, raw, quantity, price, value, currency }): RawHolding => {
    const upstream = Object.entries(raw ?? {}).find(([, record]) => record);
    const numbers = [security?.isin, security?.cusp, security?.figi];
    return {
      quantity,
      price,
      value,
      name: security?.name,
      symbol: security?.tickerSymbol,
      // The upstream provider's, which is the only one.
      id: upstream ? `${upstream[0]}:${upstream[1]!.id}` : null,
      identifier: numbers.map((text) => lineOf(text)).find((text) => text !== null) ?? null,
      currency: lineOf(currency) ?? security?.currency,
      // Undocumented whether the provider's cost is that of all units or of one; its examples fit neither.
      cost: null,
    };
  });

const REFUSAL = z.object({ error: text, message: text });

export type WireAccount = z.output<typeof ACCOUNT>;
export type WireTransactions = z.output<typeof TRANSACTIONS>;

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
 * The provider reports no date for its balance. What can be spent counts as the balance where it is all that is reported.
 *
 * @returns `null`: not reported, which is not zero
 * @throws ProviderError `unexpected_reply`
 */
export function readBalance(reply: Reply): RawBalance | null {
  const { balance } = parsePayload(BALANCE, reply, 'The provider’s balance');
  if (balance === null) return null;
  const { available, currency } = balance;
  const current = balance.amount ?? balance.current ?? null;
  return { amount: current ?? available, available: current === null ? null : available, currency };
}

/** @throws ProviderError `unexpected_reply` */
export function readTransactions(reply: Reply): WireTransactions {
  return parsePayload(TRANSACTIONS, reply, 'The provider’s list of transactions');
}

/** `null`: it cannot be read. */
export function readTransaction(item: unknown): RawTransaction | null {
  return check(TRANSACTION, item).value;
}

/** @throws ProviderError `unexpected_reply` */
export function readHoldings(reply: Reply): RawHoldings {
  const {
    holdings: items,
    totalValue: total,
    currency,
  } = parsePayload(HOLDINGS, reply, 'The provider’s list of holdings');
  return { items, read: (item, index) => check(HOLDING, item, `$.holdings[${index}]`), total, currency };
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
