import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import type { SyncProblemResponse } from '../../sync/runs/sync.response.js';
import { serviceText } from '../components/service-text.js';

/** The problems with one remedy, in the words of a page. */
export interface ProblemGroup {
  kind: SyncProblemResponse['kind'];
  severity: SyncProblemResponse['severity'];
  action: string;
  findings: readonly ProblemFinding[];
}

/** The same problem of some accounts. */
export interface ProblemFinding {
  message: string;
  /** Technical details for troubleshooting; `null`: none. */
  detail: string | null;
  accountIds: readonly string[];
}

/** A parser's message about an answer: `$.balance: Invalid input`. */
const PARSED = /^(.*?) is not as expected at (\$.*?)\.(?: (.*))?$/s;
/** The number of one account's transactions. */
const COUNT = /^\d+ transactions?/;

/**
 * One group per remedy, in the order of their first problems; times are in the person's timezone.
 *
 * @param accountNames by id: the name in front of a message is left out, since pages show it as a link
 */
export function groupProblems(
  problems: readonly SyncProblemResponse[],
  timeZone: string,
  provider: ProviderDescriptor | null,
  accountNames: ReadonlyMap<string, string>,
): ProblemGroup[] {
  const wordsOf = (text: string) => serviceText(text, timeZone, provider);
  // Before the words are put into the format of the pages, which a name must not be.
  const unnamed = ({ message, account_id: id }: SyncProblemResponse) => {
    const name = accountNames.get(id ?? '');
    return name !== undefined && message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
  };
  return [...Map.groupBy(problems, ({ kind, action }) => `${kind} ${action}`).values()].map((ofRemedy) => ({
    kind: ofRemedy[0]!.kind,
    severity: ofRemedy[0]!.severity,
    action: wordsOf(ofRemedy[0]!.action),
    findings: [...Map.groupBy(ofRemedy, unnamed)].map(([message, same]) => ({
      ...withoutParser(wordsOf(same.length > 1 ? message.replace(COUNT, '$& each') : message)),
      accountIds: same.flatMap(({ account_id: id }) => id ?? []),
    })),
  }));
}

function withoutParser(message: string): Pick<ProblemFinding, 'message' | 'detail'> {
  const [, what, detail, rest] = PARSED.exec(message) ?? [];
  if (what === undefined || detail === undefined) return { message, detail: null };
  return { message: [`${what} could not be read.`, rest].filter(Boolean).join(' '), detail };
}
