import { Logger } from '@nestjs/common';
import { SnapshotSize } from '../bank-provider/answer-limits.js';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../bank-provider/bank-provider.js';
import { fetchOrHalve, newestWindow, nextWindow } from '../bank-provider/feed/windows.js';
import type { NetworkRules } from '../bank-provider/http/network-guard.js';
import { ProviderError, type ProviderErrorKind } from '../bank-provider/provider-error.js';
import type { Secret } from '../config/secret.js';
import { longDate } from '../time/calendar-date.js';
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
    const { today, completeUntil, partlyKnown, includePending } = request;
    const known = [...completeUntil.keys(), ...(partlyKnown?.keys() ?? [])];
    request.onProgress({ step: 'balances', accountsTotal: null });
    const balances = await this.client.balances(access, request);
    request.onProgress({ step: 'the newest transactions', accountsTotal: balances.accounts.length });
    const [newest, transactions] = await fetchOrHalve(newestWindow(known, request, WINDOWS), today, (window) =>
      this.client.transactions(access, window, includePending, request),
    );
    const draft = SnapshotDraft.start(balances, transactions, newest, request);
    await this.#fetchOlder(draft, access, request);
    // Last, so that it is left out first when requests run short.
    const serverVersions = request.wantsServerInfo ? await this.#serverVersions(access, request) : undefined;
    return { ...draft.toSnapshot(), ...(serverVersions && { serverVersions }) };
  }

  async #fetchOlder(draft: SnapshotDraft, access: BasicAccess, request: SnapshotRequest): Promise<void> {
    const size = new SnapshotSize();
    for (let { missing } = draft; missing !== null; { missing } = draft) {
      const older = nextWindow(missing, WINDOWS);
      request.onProgress({ step: `transactions since ${longDate(older.from)}`, accountsTotal: draft.accountsTotal });
      try {
        const [window, set] = await fetchOrHalve(older, request.today, (window) =>
          this.client.transactions(access, window, request.includePending, request),
        );
        size.add(rowsOf(set.accounts));
        draft.add(window, set);
      } catch (error) {
        if (!(error instanceof ProviderError) || error.needsPerson) throw error;
        return draft.interrupt(error, older);
      }
    }
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
