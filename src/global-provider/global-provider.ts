import { unreadableAccount } from '../bank-provider/account-problems.js';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../bank-provider/bank-provider.js';
import type { ProviderProblem } from '../bank-provider/provider-error.js';
import { accountNameOf } from '../bank-provider/read-values.js';
import type { Secret } from '../config/secret.js';
import type { Window } from '../bank-provider/transaction-history.js';
import { longDate } from '../time/calendar-date.js';
import { coveredUntil } from '../time/covered-days.js';
import type { TranslatedAccount } from '../bank-provider/feed/to-account.js';
import { AccountFetcher, type ListedAccount, startAccount, type Step } from './account-fetcher.js';
import type { GlobalProviderClient } from './client.js';
import { apiKeyOf } from './credential.js';
import type { ListedAccounts } from './payload.js';

const NO_ACCOUNTS: ProviderProblem = {
  kind: 'data_incomplete',
  message:
    'The provider lists no accounts for this key. Your data is unchanged. Turn on accounts under Account ' +
    'Access at the provider: new banks are off at first.',
};

const UNREADABLE_COUNT: ProviderProblem = {
  kind: 'unexpected_reply',
  message: 'The provider’s list of accounts is not as expected at $.total: no number. It may lack some of them.',
};

export class GlobalProvider extends BankProvider {
  constructor(
    private readonly client: GlobalProviderClient,
    readonly pendingSwitch: boolean,
  ) {
    super();
  }

  async connect(pasted: Secret, signal?: AbortSignal): Promise<Secret> {
    const apiKey = apiKeyOf(pasted);
    await this.client.checkKey(apiKey, signal);
    return apiKey;
  }

  /** Fetches the list of accounts, then each account, one request after the other, because no limit is published. */
  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    request.onProgress({ step: 'the list of accounts', accountsTotal: null });
    const list = await this.client.accounts(request);
    const { accounts, issues, contradictions } = list;
    const drafts = accounts.map((wire) => startAccount(wire, request));
    const onStep = (draft: ListedAccount, step: Step, window?: Window) =>
      request.onProgress({ step: inWords(draft, step, window), accountsTotal: drafts.length });
    const fetcher = new AccountFetcher(this.client, request, onStep);
    const fetched = new Map<ListedAccount, TranslatedAccount>();
    for (const draft of leastKnownFirst(drafts, request)) {
      const translated = await fetcher.fetch(draft);
      fetched.set(draft, translated);
      request.onAccount?.(translated.account);
    }
    const translated = drafts.map((draft) => fetched.get(draft)!);
    return {
      accounts: translated.map(({ account }) => account),
      problems: [
        ...problemsOfList(list),
        ...contradictions,
        ...issues.map(({ id, issue }) => unreadableAccount(id, issue)),
        ...translated.flatMap((account) => account.problems),
      ],
      retryAfterSeconds: longestWait(drafts),
    };
  }
}

/** Without a problem, the accounts that are not listed would count as missing. An outage looks like an empty list. */
function problemsOfList({ count, total }: ListedAccounts): ProviderProblem[] {
  if (count === 0) return [NO_ACCOUNTS];
  if (Number.isNaN(total)) return [UNREADABLE_COUNT];
  if (total <= count) return [];
  const message = `The provider lists ${count} of its ${total} accounts. The others were not updated.`;
  return [{ kind: 'data_incomplete', message }];
}

/** Orders the accounts so that a sync that is cut off does not miss the same ones every time. */
function leastKnownFirst(drafts: readonly ListedAccount[], { covered }: SnapshotRequest): ListedAccount[] {
  const known = ({ externalId }: ListedAccount) => coveredUntil(covered.get(externalId) ?? []) ?? '';
  return drafts.toSorted((a, b) => (known(a) < known(b) ? -1 : known(a) > known(b) ? 1 : 0));
}

/** In seconds, as long as any refusal asks for; `null`: none does. */
function longestWait(drafts: readonly ListedAccount[]): number | null {
  const errors = drafts.flatMap(({ failures }) => failures.map(({ error }) => error));
  const waits = errors.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  return waits.length === 0 ? null : Math.max(...waits);
}

function inWords({ wire }: ListedAccount, step: Step, window?: Window): string {
  const since = window ? ` since ${longDate(window.from)}` : '';
  return `${accountNameOf(wire.name)}: ${step}${since}`;
}
