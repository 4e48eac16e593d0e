import { MAX_PROBLEMS } from '../bank-provider/answer-limits.js';
import { unreadableAccount } from '../bank-provider/account-problems.js';
import type { BankSnapshot, SnapshotAccount, SnapshotRequest } from '../bank-provider/bank-provider.js';
import type { Missing, Window } from '../bank-provider/transaction-history.js';
import type { ProviderError, ProviderProblem } from '../bank-provider/provider-error.js';
import { WorkSlices } from '../time/work-slices.js';
import { earliest, latest } from '../time/calendar-date.js';
import { type AccountDraft, startAccount, toAccount } from './account-draft.js';
import { currentAccounts, byExternalId } from './current-accounts.js';
import { concerns, type ProviderWarning, providerWarnings, problemsOf } from './warnings.js';
import type { AccountSet } from './payload.js';
import { windowRows } from './window-rows.js';

const NO_ACCOUNTS =
  'The provider lists no accounts. Everything here stays as it is; check at the provider that accounts are connected.';

/**
 * A snapshot that grows with every window. Balances come from an answer of their own, holdings from the newest window.
 */
export class SnapshotDraft {
  readonly #accounts: AccountDraft[] = [];
  readonly #warnings = new Map<string, ProviderWarning>();
  readonly #problems: ProviderProblem[] = [];

  private constructor(private readonly request: SnapshotRequest) {}

  static async start(
    balances: AccountSet,
    newest: AccountSet,
    window: Window,
    request: SnapshotRequest,
  ): Promise<SnapshotDraft> {
    const draft = new SnapshotDraft(request);
    await draft.#start(balances, newest, window);
    return draft;
  }

  async #start(balances: AccountSet, newest: AccountSet, window: Window): Promise<void> {
    const slices = new WorkSlices(this.request.signal);
    const connections = new Map([...balances.connections, ...newest.connections].map((one) => [one.conn_id, one]));
    const warnings = [...providerWarnings(balances), ...providerWarnings(newest)];
    for (const [externalId, wire] of currentAccounts(balances, newest)) {
      if (slices.isOver) await slices.giveWay();
      this.#accounts.push(startAccount(externalId, wire, connections.get(wire.conn_id), warnings, this.request));
    }
    for (const { id, issue } of newest.issues) this.#problems.push(unreadableAccount(id, issue));
    // An outage looks like an empty list.
    if (this.#accounts.length === 0) this.#problems.push({ kind: 'data_incomplete', message: NO_ACCOUNTS });
    await this.add(window, newest, warnings);
  }

  get accountsTotal(): number {
    return this.#accounts.length;
  }

  /** The days that any account still needs; `null`: none. */
  get missing(): Missing | null {
    const all = this.#accounts.map(({ history }) => history.missing).filter((missing) => missing !== null);
    if (all.length === 0) return null;
    return { from: earliest(...all.map(({ from }) => from)), until: latest(...all.map(({ until }) => until)) };
  }

  async add(window: Window, set: AccountSet, warnings = providerWarnings(set)): Promise<void> {
    const slices = new WorkSlices(this.request.signal);
    for (const warning of warnings) this.#warnings.set(JSON.stringify(warning), warning);
    const listed = byExternalId(set.accounts);
    for (const { externalId, concerned, history } of this.#accounts) {
      const leavesGap = warnings.some((warning) => warning.leavesGap && concerns(warning, concerned));
      history.add(window, await windowRows(listed.get(externalId) ?? [], leavesGap, this.request, slices));
      if (slices.isOver) await slices.giveWay();
    }
  }

  /** Ends the snapshot without the older windows, which the next sync fetches. */
  interrupt({ kind, message }: ProviderError, { until }: Missing): void {
    this.#problems.push({ kind, message: `The history before ${until} could not be fetched. ${message}` });
  }

  async toSnapshot(): Promise<BankSnapshot> {
    const slices = new WorkSlices(this.request.signal);
    const problems = [...this.#problems];
    for (const warning of this.#warnings.values()) {
      if (slices.isOver) await slices.giveWay();
      if (problems.length < MAX_PROBLEMS) problems.push(...problemsOf(warning, this.#concernedBy(warning)));
    }
    const accounts: SnapshotAccount[] = [];
    for (const draft of this.#accounts) {
      if (slices.isOver) await slices.giveWay();
      const translated = toAccount(draft, this.request.today);
      accounts.push(translated.account);
      problems.push(...translated.problems);
    }
    return { accounts, problems };
  }

  #concernedBy(warning: ProviderWarning): string[] {
    const concerned = this.#accounts.filter((account) => concerns(warning, account.concerned));
    return concerned.map(({ externalId }) => externalId);
  }
}
