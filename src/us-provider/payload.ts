import { z } from 'zod';
import type { PartlyParsed } from '../bank-provider/json-in-parts.js';
import {
  check,
  type Checked,
  decimalTextOf,
  isFlagOrAbsent,
  isNumberOrAbsent,
  isTextOrAbsent,
  isUsualId,
  parsePayload,
} from '../bank-provider/parse-payload.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import { oneLine } from '../bank-provider/text.js';
import { WorkSlices } from '../time/work-slices.js';
import { ACCOUNT, ENVELOPE, ERROR_LISTS, HOLDING, IDENTIFIED, SERVER_INFO, TRANSACTION } from './schemas.js';

/** No server has more. */
const MAX_VERSIONS = 20;
const MAX_VERSION_CHARS = 20;

export type ReportedError = NonNullable<z.output<typeof ERROR_LISTS>['errors']>[number];
export type WireConnection = NonNullable<z.output<typeof ENVELOPE>['connections']>[number];
export type WireAccount = z.output<typeof ACCOUNT>;
export type WireTransaction = z.output<typeof TRANSACTION>;
export type WireHolding = z.output<typeof HOLDING>;

/** An answer to `/accounts` in whichever dialect. */
export interface AccountSet {
  /** From both lists, because the deprecated one may have errors of its own. */
  reportedErrors: ReportedError[];
  /** The older dialect, in which errors are text without codes. */
  isTextOnly: boolean;
  connections: WireConnection[];
  accounts: WireAccount[];
  /** Invalid accounts; `id` unless even that is invalid. */
  issues: { id: string | null; issue: string }[];
}

/**
 * @throws ProviderError `unexpected_reply` when no account is valid; `answer_too_large`
 */
export async function readAccountSet(reply: PartlyParsed, signal: AbortSignal): Promise<AccountSet> {
  const { connections, accounts: raw, ...reportedErrors } = parsePayload(ENVELOPE, reply, 'The provider’s answer');
  const accounts: WireAccount[] = [];
  const issues: AccountSet['issues'] = [];
  const slices = new WorkSlices(signal);
  for (const [index, item] of raw.entries()) {
    if (slices.isOver) await slices.giveWay();
    const { value, issue } = check(ACCOUNT, item, `$.accounts[${index}]`);
    if (issue === null) accounts.push(value);
    else issues.push({ id: check(IDENTIFIED, item).value?.id ?? null, issue });
  }
  const [first] = issues;
  if (first && accounts.length === 0) {
    throw new ProviderError('unexpected_reply', `The provider’s answer is not as expected at ${first.issue}.`);
  }
  const isTextOnly = !reportedErrors.errlist;
  return { reportedErrors: listOf(reportedErrors), isTextOnly, connections: connections ?? [], accounts, issues };
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

export function readTransaction(item: unknown): Checked<WireTransaction> {
  const usual = usualTransaction(item);
  return usual ? { value: usual, issue: null } : check(TRANSACTION, item);
}

export function readHolding(item: unknown): Checked<WireHolding> {
  return check(HOLDING, item);
}

/** @throws ProviderError `unexpected_reply` */
export function readServerVersions(reply: PartlyParsed): string[] {
  const { versions } = parsePayload(SERVER_INFO, reply, 'The provider’s server information');
  return versions.slice(0, MAX_VERSIONS).map((version) => oneLine(version, MAX_VERSION_CHARS));
}

/** Joins both lists. A server may repeat the text of a newer error in the older list. */
function listOf({ errlist, errors }: z.output<typeof ERROR_LISTS>): ReportedError[] {
  const known = new Set((errlist ?? []).map(errorText));
  return [...(errlist ?? []), ...(errors ?? []).filter((error) => !known.has(errorText(error)))];
}

/** Reads a row in the documented form, as the schema would; `null`: the schema must check it. */
export function usualTransaction(item: unknown): WireTransaction | null {
  if (typeof item !== 'object' || item === null) return null;
  const row = item as Partial<Record<keyof WireTransaction, unknown>>;
  const { id, posted, description, transacted_at, pending, payee, memo, currency } = row;
  const amount = decimalTextOf(row.amount);
  if (!isUsualId(id) || amount === null) return null;
  if (!isNumberOrAbsent(posted) || !isNumberOrAbsent(transacted_at) || !isFlagOrAbsent(pending)) return null;
  if (!isTextOrAbsent(description) || !isTextOrAbsent(payee)) return null;
  if (!isTextOrAbsent(memo) || !isTextOrAbsent(currency)) return null;
  return { id, posted, amount, description, transacted_at, pending, payee, memo, currency };
}
