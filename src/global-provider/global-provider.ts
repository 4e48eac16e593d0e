import { unreadableAccount } from '../bank-provider/account-problems.js';
import { SnapshotSize } from '../bank-provider/answer-limits.js';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../bank-provider/bank-provider.js';
import type { ProviderProblem } from '../bank-provider/provider-error.js';
import type { Secret } from '../config/secret.js';
import type { Window } from '../bank-provider/transaction-history.js';
import type { CalendarDate } from '../time/calendar-date.js';
import { type AccountDraft, startAccount, type Step, toAccount, type ToldAccount } from './account-draft.js';
import { AccountVisit } from './account-visit.js';
import type { GlobalProviderClient } from './client.js';
import { apiKeyOf } from './credential.js';
import { accountName } from './mapper.js';
import { Patience } from './patience.js';

const LONG_DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const NO_ACCOUNTS: ProviderProblem = {
  kind: 'data_incomplete',
  message:
    'The provider lists no accounts for this key. Everything here stays as it is; switch accounts on under Account ' +
    'Access at the provider, where a new bank is off at first.',
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

  /** The list of accounts, then each account by itself, one request after the other: no limit is published. */
  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    request.onProgress({ step: 'the list of accounts', accountsTotal: null });
    const { accounts, surprises } = await this.client.accounts(request);
    const drafts = accounts.map((wire) => startAccount(wire, request));
    const patience = new Patience();
    const size = new SnapshotSize();
    const visited = new Map<AccountDraft, ToldAccount>();
    for (const draft of leastKnownFirst(drafts, request)) {
      const onStep = (step: Step, window?: Window) =>
        request.onProgress({ step: inWords(draft, step, window), accountsTotal: drafts.length });
      await new AccountVisit(this.client, patience, size, request, onStep).of(draft);
      const told = toAccount(draft);
      visited.set(draft, told);
      request.onAccount?.(told.account);
    }
    const told = drafts.map((draft) => visited.get(draft)!);
    // Never a fact: it is what an outage looks like.
    const problems = accounts.length + surprises.length === 0 ? [NO_ACCOUNTS] : [];
    return {
      accounts: told.map(({ account }) => account),
      problems: [
        ...problems,
        ...surprises.map(({ id, surprise }) => unreadableAccount(id, surprise)),
        ...told.flatMap((account) => account.problems),
      ],
    };
  }
}

/** A run that is cut off must not be cut off before the same accounts every time. */
function leastKnownFirst(drafts: readonly AccountDraft[], { completeUntil }: SnapshotRequest): AccountDraft[] {
  const known = ({ externalId }: AccountDraft): CalendarDate => completeUntil.get(externalId) ?? '';
  return drafts.toSorted((a, b) => (known(a) < known(b) ? -1 : known(a) > known(b) ? 1 : 0));
}

function inWords({ wire }: AccountDraft, step: Step, window?: Window): string {
  const since = window ? ` since ${LONG_DATE.format(new Date(`${window.from}T00:00:00Z`))}` : '';
  return `${accountName(wire)}: ${step}${since}`;
}
