import type { ProviderErrorKind, ProviderProblem } from '../provider-error.js';
import { messageText } from '../read-values.js';
import { type AccountSet, errorText, type ReportedError } from './payload.js';

/** An error that an answer lists, and what it means for the accounts it concerns. */
export interface ProviderWarning {
  kind: ProviderErrorKind;
  message: string;
  /** The account, connection or institution it concerns; all `null`: everything. */
  accountId: string | null;
  connectionId: string | null;
  institution: string | null;
  /** Transactions may be missing. */
  leavesGap: boolean;
  /** The balance is old, unless its date says otherwise. */
  stale: boolean;
}

/** What a warning can concern, in the provider's names. */
export interface Concerned {
  id: string;
  connectionId: string | null;
  institutions: readonly (string | null | undefined)[];
}

const EVERYTHING = { accountId: null, connectionId: null, institution: null };
const CONNECTION_FAILURE = /^connection to (.+?) may need attention/i;
const QUOTA =
  /\b(quota|rate.?limit(ed|s)?|too many requests|\d+ requests?|requests? (limit|(per|a|each) (minute|hour|day)))\b/i;

/** The errors of an answer that matter, as warnings. */
export function providerWarnings({
  reportedErrors,
  isTextOnly,
}: Pick<AccountSet, 'reportedErrors' | 'isTextOnly'>): ProviderWarning[] {
  return reportedErrors
    .map((error) => (typeof error === 'string' ? fromText(error, isTextOnly) : fromCode(error)))
    .filter((warning) => warning !== null);
}

/** An unknown part after the dot counts as the bare prefix, an unknown prefix as `gen.`. */
function fromCode(error: Exclude<ReportedError, string>): ProviderWarning | null {
  const { code } = error;
  const [accountId, connectionId] = [error.account_id || null, error.conn_id || null];
  const about = { accountId, connectionId, institution: null, message: quoted(errorText(error)) };
  if (code?.startsWith('con.')) return { ...about, ...connectionFailure(about.message, connectionId) };
  if (code === 'act.missingdata') return { ...about, kind: 'data_incomplete', leavesGap: true, stale: false };
  if (code?.startsWith('act.')) {
    return { ...about, kind: 'account_failed', leavesGap: true, stale: code === 'act.failed' };
  }
  const general = fromText(errorText(error) || 'no description', !code);
  return general && { ...general, accountId, connectionId };
}

/**
 * "May be capped" is advice about the range of dates; "was capped" means that the oldest part is missing. Other texts
 * are a problem. They leave a gap unless a code could have said so.
 *
 * @param isWithoutCode whether the error has no code, or is of the older dialect, which has none
 * @returns `null` for advice
 */
function fromText(text: string, isWithoutCode: boolean): ProviderWarning | null {
  const message = quoted(text);
  const general = { ...EVERYTHING, message, stale: false };
  if (text.trim() === '' || /\bmay be capped\b/i.test(text)) return null;
  if (/\bwas capped\b/i.test(text)) return { ...general, kind: 'data_incomplete', leavesGap: true };
  // First, because the name of a bank may be any words.
  const institution = CONNECTION_FAILURE.exec(messageText(text))?.[1] ?? null;
  if (institution !== null) return { ...general, institution, ...connectionFailure(message, institution) };
  if (QUOTA.test(text)) return { ...general, kind: 'rate_limited', leavesGap: false };
  return { ...general, kind: 'data_incomplete', leavesGap: isWithoutCode };
}

/** Without a name it is unknown whose balance is old, so all balances count. */
function connectionFailure(message: string, whose: string | null) {
  const advice = 'Sign in to the bank again at the provider. You do not need to reconnect Tidemark.';
  return { kind: 'account_failed' as const, message: `${message} ${advice}`, leavesGap: true, stale: whose !== null };
}

function quoted(text: string): string {
  return `The provider reports: “${messageText(text) || 'no description'}”`;
}

export function concerns({ accountId, connectionId, institution }: ProviderWarning, concerned: Concerned): boolean {
  if (accountId !== null && accountId !== concerned.id) return false;
  // An account without a connection is found by its own id.
  if (connectionId !== null && connectionId !== concerned.connectionId && accountId === null) return false;
  return (
    institution === null || concerned.institutions.some((name) => name?.toLowerCase() === institution.toLowerCase())
  );
}

export function isGeneral({ accountId, connectionId, institution }: ProviderWarning): boolean {
  return accountId === null && connectionId === null && institution === null;
}

/** Turns a warning into problems: one for each account it concerns, or one for the whole answer. */
export function problemsOf(warning: ProviderWarning, concernedIds: readonly string[]): ProviderProblem[] {
  const { kind, message, accountId } = warning;
  // The answer may lack an account that is stored.
  const ids = concernedIds.length === 0 && accountId !== null ? [accountId] : concernedIds;
  if (isGeneral(warning) || ids.length === 0) return [{ kind, message }];
  return ids.map((accountExternalId) => ({ kind, message, accountExternalId }));
}
