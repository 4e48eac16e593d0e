import { z } from 'zod';
import {
  limitedList,
  MAX_ACCOUNTS,
  MAX_HOLDINGS,
  MAX_MESSAGES,
  MAX_TRANSACTIONS,
  refuseMore,
} from '../answer-limits.js';
import type { RawHolding } from '../feed/holdings.js';
import type { RawTransaction } from '../feed/rows.js';
import type { RawBalance } from '../feed/to-account.js';
import type { ProviderReply } from '../http/provider-http.js';
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
} from '../parse-payload.js';
import { lineOf, oneLine, writtenInSeconds } from '../read-values.js';

// Both dialects of the answer: an older server puts the institution into each account and sends `errors`, a newer one
// sends `connections` and `errlist`. An answer may mix them. Members that are not named are dropped.

/** A name by which accounts, logins and errors refer to each other, and which becomes part of an id or of a problem. */
const reference = z.union([id, text.transform((name) => lineOf(name))]).nullish();

/** Unix seconds; anything but a whole number counts as not given, never as 0. */
const seconds = z.union([
  z.number(),
  z.string().transform((text) => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : null)),
]);

const TRANSACTION = z
  .object({
    id,
    posted: seconds.nullish(),
    amount: decimal,
    description: text,
    transacted_at: seconds.nullish(),
    pending: wireFlag.nullish(),
    payee: text,
    memo: text,
    currency: text,
  })
  .transform((wire): RawTransaction => {
    const { id, amount, currency, payee: merchant, description, memo, posted, transacted_at } = wire;
    // By the flag, or by `posted: 0` with a transaction time. A missing `posted` proves nothing: some feeds omit it.
    const pending = wire.pending === true || (posted === 0 && (transacted_at ?? 0) > 0);
    const [first, other] = pending ? [transacted_at, posted] : [posted, transacted_at];
    return {
      id,
      amount,
      currency,
      merchant,
      pending,
      written: writtenInSeconds(first) ?? writtenInSeconds(other),
      description: lineOf(description) === null ? memo : description,
    };
  });

/** `created` is when the provider first saw the lot, and `value` is the cost at some brokers, so neither is used. */
const HOLDING = z
  .object({
    currency: text,
    symbol: text,
    description: text,
    shares: decimal.nullish(),
    quantity: decimal.nullish(),
    market_value: decimal.nullish(),
    cost_basis: decimal.nullish(),
    purchase_price: decimal.nullish(),
  })
  .transform(({ symbol, description, currency, shares, quantity, ...wire }): RawHolding => ({
    symbol,
    currency,
    name: description,
    quantity: shares ?? quantity,
    value: wire.market_value,
    cost: wire.cost_basis,
    purchasePrice: wire.purchase_price,
  }));

const ACCOUNT = z.object({
  id,
  name: text,
  org: z.object({ name: text, domain: text, id: reference }).nullish(),
  conn_id: reference,
  conn_name: text,
  currency: text,
  balance: decimal.nullish(),
  'available-balance': decimal.nullish().catch(null),
  'balance-date': seconds.nullish().catch(null),
  // Checked one by one, so that an invalid row does not invalidate the others.
  transactions: z.array(z.unknown()).nullish(),
  // What is no list is a list of one, which then cannot be read.
  holdings: z.union([limitedList(MAX_HOLDINGS, 'holdings'), z.unknown().transform((value) => [value])]).nullish(),
});

const CONNECTION = z.object({ conn_id: reference, name: text, org_name: text });
const CONNECTIONS = limitedList(MAX_ACCOUNTS, 'connections').nullish();

const CODED_ERROR = z.object({
  code: text.catch(null),
  msg: text.catch(null),
  message: text.catch(null),
  conn_id: reference.catch(null),
  account_id: reference.catch(null),
});

/** Any value in a list of errors is an error. */
const REPORTED_ERROR = z.union([z.string(), CODED_ERROR, z.unknown().transform(() => withoutCode(null))]);

/** A value in place of the list is an error, too. */
const reportedErrors = z
  .union([
    limitedList(MAX_MESSAGES, 'messages'),
    z.unknown().transform((value) => [typeof value === 'string' && value.trim() ? withoutCode(value) : value]),
  ])
  .pipe(z.array(REPORTED_ERROR))
  .nullish();

const ERROR_LISTS = z.object({ errors: reportedErrors, errlist: reportedErrors });

const ENVELOPE = ERROR_LISTS.extend({
  // Checked apart and one by one, because they only have names.
  connections: z.unknown().optional(),
  // Checked one by one, like the rows.
  accounts: limitedList(MAX_ACCOUNTS, 'accounts'),
});

const SERVER_INFO = z.object({ versions: z.array(z.string()) });

/** No server has more. */
const MAX_VERSIONS = 20;
const MAX_VERSION_CHARS = 20;
const WHAT = 'The provider’s answer';

export type ReportedError = NonNullable<z.output<typeof ERROR_LISTS>['errors']>[number];
export type WireConnection = z.output<typeof CONNECTION>;
export type WireAccount = z.output<typeof ACCOUNT>;

/** An answer to `/accounts` in whichever dialect. */
export interface AccountSet extends CheckedAccounts<WireAccount> {
  /** From both lists, because the deprecated one may have errors of its own. */
  reportedErrors: ReportedError[];
  /** The older dialect, in which errors are text without codes. */
  isTextOnly: boolean;
  connections: WireConnection[];
  /** The first validation issue of the connections, with its place; `null`: there is none. */
  connectionIssue: string | null;
}

/**
 * @throws ProviderError `unexpected_reply` when no account is valid; `answer_too_large`
 */
export function readAccountSet(reply: Pick<ProviderReply, 'body'>): AccountSet {
  const { connections, accounts: items, ...reportedErrors } = parsePayload(ENVELOPE, reply, WHAT);
  const { accounts, issues } = checkAccounts(ACCOUNT, items, WHAT);
  refuseMore(rowsOf(accounts), MAX_TRANSACTIONS, 'transactions');
  const isTextOnly = !reportedErrors.errlist;
  return { reportedErrors: listOf(reportedErrors), isTextOnly, ...readConnections(connections), accounts, issues };
}

/** How many transactions accounts list together. */
export function rowsOf(accounts: readonly WireAccount[]): number {
  return accounts.reduce((sum, { transactions }) => sum + (transactions?.length ?? 0), 0);
}

function readConnections(value: unknown): Pick<AccountSet, 'connections' | 'connectionIssue'> {
  const list = check(CONNECTIONS, value, '$.connections');
  const checked = (list.value ?? []).map((item, index) => check(CONNECTION, item, `$.connections[${index}]`));
  const issues = [list, ...checked].flatMap(({ issue }) => issue ?? []);
  return { connections: checked.flatMap(({ value }) => value ?? []), connectionIssue: issues[0] ?? null };
}

/** The errors in a refusal; `null`: a web page, or JSON of something else. */
export function refusalErrorsOf(body: string): ReportedError[] | null {
  try {
    const refusal = z.looseObject(ERROR_LISTS.shape).parse(JSON.parse(body));
    const reportedErrors = listOf(refusal);
    return Array.isArray(refusal['accounts']) || reportedErrors.some(isAuthRefusal) ? reportedErrors : null;
  } catch {
    return null;
  }
}

/** Whether the error refuses the credential. */
export function isAuthRefusal(error: ReportedError): boolean {
  return typeof error === 'object' && error.code === 'gen.auth';
}

/** The text of an error; empty: it has none. */
export function errorText(error: ReportedError): string {
  return typeof error === 'string' ? error : error.msg || error.message || '';
}

/** `null`: it cannot be read. */
export function readTransaction(item: unknown): RawTransaction | null {
  return check(TRANSACTION, item).value;
}

export function balanceOf(wire: WireAccount): RawBalance {
  const written = writtenInSeconds(wire['balance-date']);
  return { amount: wire.balance, available: wire['available-balance'], written };
}

/** The institution's name, in either dialect. */
export function institutionOf({ org, conn_name }: WireAccount, connection: WireConnection | undefined): string | null {
  const names = [connection?.org_name, connection?.name, conn_name, org?.name, org?.domain];
  return names.map((name) => lineOf(name)).find((name) => name !== null) ?? null;
}

/** @param index its place in the list of its account */
export function readHolding(item: unknown, index: number): Checked<RawHolding> {
  return check(HOLDING, item, `$.holdings[${index}]`);
}

/** @throws ProviderError `unexpected_reply` */
export function readServerVersions(reply: ProviderReply): string[] {
  const { versions } = parsePayload(SERVER_INFO, reply, 'The provider’s server information');
  return versions.slice(0, MAX_VERSIONS).map((version) => oneLine(version, MAX_VERSION_CHARS));
}

/** Joins both lists. A server may repeat the text of a newer error in the older list. */
function listOf({ errlist, errors }: z.output<typeof ERROR_LISTS>): ReportedError[] {
  const newer = (errlist ?? []).map((error) => (typeof error === 'string' ? withoutCode(error) : error));
  const known = new Set(newer.map(errorText).filter((words) => words !== ''));
  return [...newer, ...(errors ?? []).filter((error) => !known.has(errorText(error)))];
}

function withoutCode(msg: string | null): z.output<typeof CODED_ERROR> {
  return { code: null, msg, message: null, conn_id: null, account_id: null };
}
