import type { ProviderErrorKind, ProviderProblem } from '../bank-provider/provider-error.js';
import { messageText } from '../bank-provider/text.js';
import type { AccountSet } from './payload.js';

/** What an answer says beside its accounts. */
export interface Notice {
  kind: ProviderErrorKind;
  message: string;
  /** What it concerns; all `null`: everything. */
  accountId: string | null;
  connectionId: string | null;
  institution: string | null;
  /** Whether the accounts concerned may lack transactions. */
  leavesGap: boolean;
  /** Whether the balances concerned are old. */
  stale: boolean;
}

const CONNECTION_TROUBLE = /^connection to (.+?) may need attention/i;

/** Everything an answer complains of, in both dialects. Advice that changes nothing is left out. */
export function noticesOf({ errors, errlist }: AccountSet): Notice[] {
  const structured = (errlist ?? []).map((error) =>
    typeof error === 'string'
      ? fromText(error)
      : fromCode(error.code ?? '', error.msg ?? error.message ?? '', error.conn_id ?? null, error.account_id ?? null),
  );
  return [...structured, ...(errors ?? []).map(fromText)].filter((notice) => notice !== null);
}

function fromCode(code: string, said: string, connectionId: string | null, accountId: string | null): Notice | null {
  const message = messageText(said) || 'The provider reports trouble without words.';
  const about = { message, accountId, connectionId, institution: null };
  if (code === 'gen.auth') return { ...about, kind: 'access_revoked', leavesGap: true, stale: true };
  if (code.startsWith('con.')) return { ...about, kind: 'account_failed', leavesGap: true, stale: true };
  if (code === 'act.missingdata') return { ...about, kind: 'data_incomplete', leavesGap: true, stale: false };
  if (code.startsWith('act.'))
    return { ...about, kind: 'account_failed', leavesGap: true, stale: code === 'act.failed' };
  return fromText(said);
}

/** Words are all there is in the older dialect, and for notices on how the interface is used in both. */
function fromText(said: string): Notice | null {
  const message = messageText(said);
  const about = { message, accountId: null, connectionId: null, institution: null };
  if (message === '' || /may be capped/i.test(message)) return null;
  if (/was capped/i.test(message)) return { ...about, kind: 'data_incomplete', leavesGap: true, stale: false };
  if (/rate|quota|too many|requests/i.test(message))
    return { ...about, kind: 'rate_limited', leavesGap: false, stale: false };
  const institution = CONNECTION_TROUBLE.exec(message)?.[1] ?? null;
  if (institution) return { ...about, institution, kind: 'account_failed', leavesGap: true, stale: true };
  return { ...about, kind: 'data_incomplete', leavesGap: true, stale: false };
}

/** A notice as a problem of the run, for the accounts it names or for the whole. */
export function problemsOf(notice: Notice, concerned: readonly string[]): ProviderProblem[] {
  const { kind, message, accountId, connectionId, institution } = notice;
  if (accountId === null && connectionId === null && institution === null) return [{ kind, message }];
  if (concerned.length === 0) return [{ kind, message }];
  return concerned.map((accountExternalId) => ({ kind, message, accountExternalId }));
}
