import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import type { SyncProblemResponse } from '../../sync/runs/sync.response.js';
import { serviceText } from '../components/service-text.js';

/** The same problem of several accounts, in the words of a page. */
export interface ProblemGroup {
  kind: SyncProblemResponse['kind'];
  message: string;
  /** Technical details for troubleshooting; `null`: none. */
  detail: string | null;
  action: string;
  accountIds: readonly string[];
}

/** A parser's message about an answer: `$.balance: Invalid input`. */
const PARSED = /^(.*?) is not as expected at (\$.*?)\.(?: (.*))?$/s;

/** One group per problem, in the order of their first accounts; times are in the person's timezone. */
export function groupProblems(
  problems: readonly SyncProblemResponse[],
  timeZone: string,
  provider: ProviderDescriptor | null,
): ProblemGroup[] {
  const wordsOf = (text: string) => serviceText(text, timeZone, provider);
  const groups = new Map<string, ProblemGroup & { accountIds: string[] }>();
  for (const { kind, message, action, account_id: accountId } of problems) {
    const key = `${kind} ${message}`;
    const group = groups.get(key) ?? {
      kind,
      action: wordsOf(action),
      accountIds: [],
      ...withoutParser(wordsOf(message)),
    };
    if (accountId !== null) group.accountIds.push(accountId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function withoutParser(message: string): Pick<ProblemGroup, 'message' | 'detail'> {
  const [, what, detail, rest] = PARSED.exec(message) ?? [];
  if (what === undefined || detail === undefined) return { message, detail: null };
  return { message: [`${what} could not be read.`, rest].filter(Boolean).join(' '), detail };
}
