import type { ProviderErrorKind, ProviderProblem } from '../bank-provider/provider-error.js';
import { messageText } from '../bank-provider/text.js';
import { type AccountSet, type Complaint, wordsOf } from './payload.js';

/** What an answer complains of, and what follows from it for the accounts it concerns. */
export interface Notice {
  kind: ProviderErrorKind;
  message: string;
  /** What it concerns; all `null`: everything. */
  accountId: string | null;
  connectionId: string | null;
  institution: string | null;
  /** Transactions may be missing. */
  leavesGap: boolean;
  /** The balance is an old one, unless its date says otherwise. */
  stale: boolean;
}

/** What a notice can concern, as the wire names it. */
export interface Concerned {
  id: string;
  connectionId: string | null;
  institutions: readonly (string | null | undefined)[];
}

const EVERYTHING = { accountId: null, connectionId: null, institution: null };
const CONNECTION_TROUBLE = /^connection to (.+?) may need attention/i;
const QUOTA = /\b(quota|rate.?limit(ed|s)?|too many requests|requests? (per|a|each|limit|today)\b)/i;

/** Everything an answer complains of that is news. */
export function noticesOf({ complaints, isWordsOnly }: Pick<AccountSet, 'complaints' | 'isWordsOnly'>): Notice[] {
  return complaints
    .map((complaint) => (typeof complaint === 'string' ? fromWords(complaint, isWordsOnly) : fromCode(complaint)))
    .filter((notice) => notice !== null);
}

/** A part after the dot that is not known here counts as the bare prefix, a prefix that is not known as `gen.`. */
function fromCode(complaint: Exclude<Complaint, string>): Notice | null {
  const { code, account_id: accountId = null, conn_id: connectionId = null } = complaint;
  const about = { accountId, connectionId, institution: null, message: reported(wordsOf(complaint)) };
  if (code?.startsWith('con.')) return { ...about, ...connectionTrouble(about.message, connectionId) };
  if (code === 'act.missingdata') return { ...about, kind: 'data_incomplete', leavesGap: true, stale: false };
  if (code?.startsWith('act.')) {
    return { ...about, kind: 'account_failed', leavesGap: true, stale: code === 'act.failed' };
  }
  const general = fromWords(wordsOf(complaint) || 'trouble without words', false);
  return general && { ...general, accountId, connectionId };
}

/**
 * Words on the asked range are known: "may be capped" is advice and changes nothing, "was capped" means that the oldest
 * part is missing. Unknown words stay a problem. Whether they leave a gap depends on the dialect: the newer one has codes
 * to tell it, in the older one words are all there is.
 *
 * @returns `null` for what is no news
 */
function fromWords(said: string, isWordsOnly: boolean): Notice | null {
  const message = reported(said);
  const general = { ...EVERYTHING, message, stale: false };
  if (said.trim() === '' || /\bmay be capped\b/i.test(said)) return null;
  if (/\bwas capped\b/i.test(said)) return { ...general, kind: 'data_incomplete', leavesGap: true };
  if (QUOTA.test(said)) return { ...general, kind: 'rate_limited', leavesGap: false };
  const institution = CONNECTION_TROUBLE.exec(messageText(said))?.[1] ?? null;
  if (institution !== null) return { ...general, institution, ...connectionTrouble(message, institution) };
  return { ...general, kind: 'data_incomplete', leavesGap: isWordsOnly };
}

/** Without a name it is not known whose balance is an old one, and none is thrown away on suspicion. */
function connectionTrouble(message: string, whose: string | null) {
  const advice = 'A login that must be renewed is renewed at the provider; the access given here stays valid.';
  return { kind: 'account_failed' as const, message: `${message} ${advice}`, leavesGap: true, stale: whose !== null };
}

function reported(said: string): string {
  return `The provider reports: “${messageText(said) || 'trouble without words'}”`;
}

export function concerns({ accountId, connectionId, institution }: Notice, concerned: Concerned): boolean {
  if (accountId !== null && accountId !== concerned.id) return false;
  // An account may come without its connection; its own id is then enough.
  if (connectionId !== null && connectionId !== concerned.connectionId && accountId === null) return false;
  return (
    institution === null || concerned.institutions.some((name) => name?.toLowerCase() === institution.toLowerCase())
  );
}

export function isGeneral({ accountId, connectionId, institution }: Notice): boolean {
  return accountId === null && connectionId === null && institution === null;
}

/** A notice as problems of the run: one for each account it names, or one of the whole. */
export function problemsOf(notice: Notice, concernedIds: readonly string[]): ProviderProblem[] {
  const { kind, message, accountId } = notice;
  // An account that could not be read may be missing from the answer and still be known to us.
  const ids = concernedIds.length === 0 && accountId !== null ? [accountId] : concernedIds;
  if (isGeneral(notice) || ids.length === 0) return [{ kind, message }];
  return ids.map((accountExternalId) => ({ kind, message, accountExternalId }));
}
