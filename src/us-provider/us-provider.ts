import { Logger } from '@nestjs/common';
import { SnapshotSize } from '../bank-provider/answer-limits.js';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../bank-provider/bank-provider.js';
import { fetchAsFarAsPossible, fetchOrHalve, windowOf } from '../bank-provider/feed/windows.js';
import type { NetworkRules } from '../bank-provider/http/network-guard.js';
import { ProviderError, type ProviderErrorKind } from '../bank-provider/provider-error.js';
import type { Secret } from '../config/secret.js';
import type { Window } from '../bank-provider/transaction-history.js';
import { addDays, longDate } from '../time/calendar-date.js';
import type { UsProviderClient } from './client.js';
import { type BasicAccess, accessOf, accessUrlOf, claimUrlOf } from './credential.js';
import { rowsOf } from './payload.js';
import { SnapshotDraft, WINDOWS } from './snapshot-draft.js';

/** After these errors the server reports no versions, now or later. */
const PERMANENT: ReadonlySet<ProviderErrorKind> = new Set(['unexpected_reply', 'answer_too_large']);

export class UsProvider extends BankProvider {
  readonly pendingSwitch = null;
  readonly #log = new Logger('UsProvider');

  constructor(
    private readonly client: UsProviderClient,
    private readonly rules: NetworkRules,
  ) {
    super();
  }

  async connect(setupToken: Secret, signal?: AbortSignal): Promise<Secret> {
    return accessUrlOf(await this.client.claim(claimUrlOf(setupToken, this.rules), signal), this.rules);
  }

  /**
   * Fetches current balances, then windows of transactions, newest first. The balances have a request of their own
   * without a date, because a request with one may return the balances of that date. The newest window follows at once,
   * so that both are of one moment unless the bank is refreshed in between.
   */
  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    const access = accessOf(request.credential, this.rules);
    const { today, historyFrom, includePending } = request;
    request.onProgress({ step: 'balances', accountsTotal: null });
    const balances = await this.client.balances(access, request);
    request.onProgress({ step: 'the newest transactions', accountsTotal: balances.accounts.length });
    const fetch = (window: Window) => this.client.transactions(access, window, includePending, request);
    const wanted = { from: historyFrom, until: addDays(today, 1) };
    const [newest, transactions] = await fetchOrHalve(windowOf(wanted, today, WINDOWS), today, fetch);
    const draft = SnapshotDraft.start(balances, transactions, newest, request);
    const size = new SnapshotSize();
    const fetchOlder = async (window: Window) => {
      request.onProgress({
        step: `transactions since ${longDate(window.from)}`,
        accountsTotal: draft.histories.length,
      });
      const set = await fetch(window);
      size.add(rowsOf(set.accounts));
      return set;
    };
    const rules = { ...WINDOWS, today };
    const interruption = await fetchAsFarAsPossible(draft.histories, rules, fetchOlder, (...part) =>
      draft.add(...part),
    );
    // Last, so that it is left out first when requests run short.
    const serverVersions = request.wantsServerInfo ? await this.#serverVersions(access, request) : undefined;
    return { ...draft.toSnapshot(interruption), ...(serverVersions && { serverVersions }) };
  }

  /** For display only. An error does not fail the sync. */
  async #serverVersions(access: BasicAccess, request: SnapshotRequest): Promise<string[] | undefined> {
    try {
      return await this.client.serverVersions(access, request);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.#log.debug(`The provider’s server does not report its protocol versions (${error.kind})`);
      return PERMANENT.has(error.kind) ? [] : undefined;
    }
  }
}
