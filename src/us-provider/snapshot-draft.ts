import { MAX_PROBLEMS } from '../bank-provider/answer-limits.js';
import { unreadableAccount } from '../bank-provider/account-problems.js';
import type { BankSnapshot, SnapshotAccount, SnapshotRequest } from '../bank-provider/bank-provider.js';
import type { Missing, Window } from '../bank-provider/transaction-history.js';
import type { ProviderError, ProviderProblem } from '../bank-provider/provider-error.js';
import { WorkSlices } from '../time/work-slices.js';
import { earliest, latest } from '../time/calendar-date.js';
import { type AccountDraft, startAccount, toAccount } from './account-draft.js';
import { accountsOfNow, byExternalId } from './accounts-of-now.js';
import { concerns, type Notice, noticesOf, problemsOf } from './notices.js';
import type { AccountSet } from './payload.js';
import { windowRows } from './window-rows.js';

const NO_ACCOUNTS =
  'The provider lists no accounts. Everything here stays as it is; check at the provider that accounts are connected.';

/** A snapshot that grows with every window. Balances have an answer of their own, holdings are of the newest window. */
export class SnapshotDraft {
  readonly #accounts: AccountDraft[] = [];
  readonly #notices = new Map<string, Notice>();
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
    const notices = [...noticesOf(balances), ...noticesOf(newest)];
    for (const [externalId, wire] of accountsOfNow(balances, newest)) {
      if (slices.isOver) await slices.giveWay();
      this.#accounts.push(startAccount(externalId, wire, connections.get(wire.conn_id), notices, this.request));
    }
    for (const { id, surprise } of newest.surprises) this.#problems.push(unreadableAccount(id, surprise));
    // Never a fact: it is what an outage looks like.
    if (this.#accounts.length === 0) this.#problems.push({ kind: 'data_incomplete', message: NO_ACCOUNTS });
    await this.add(window, newest, notices);
  }

  get accountsTotal(): number {
    return this.#accounts.length;
  }

  /** What any account still needs; `null`: nothing more is needed. */
  get missing(): Missing | null {
    const all = this.#accounts.map(({ history }) => history.missing).filter((missing) => missing !== null);
    if (all.length === 0) return null;
    return { from: earliest(...all.map(({ from }) => from)), until: latest(...all.map(({ until }) => until)) };
  }

  /** @param notices what is complained of */
  async add(window: Window, set: AccountSet, notices = noticesOf(set)): Promise<void> {
    const slices = new WorkSlices(this.request.signal);
    for (const notice of notices) this.#notices.set(JSON.stringify(notice), notice);
    const listed = byExternalId(set.accounts);
    for (const { externalId, concerned, history } of this.#accounts) {
      const leavesGap = notices.some((notice) => notice.leavesGap && concerns(notice, concerned));
      history.add(window, await windowRows(listed.get(externalId) ?? [], leavesGap, this.request, slices));
      if (slices.isOver) await slices.giveWay();
    }
  }

  /** Older windows did not come: what came is kept, the rest will be asked for again. */
  interrupt({ kind, message }: ProviderError, { until }: Missing): void {
    this.#problems.push({ kind, message: `The history before ${until} could not be fetched. ${message}` });
  }

  async toSnapshot(): Promise<BankSnapshot> {
    const slices = new WorkSlices(this.request.signal);
    const problems = [...this.#problems];
    for (const notice of this.#notices.values()) {
      if (slices.isOver) await slices.giveWay();
      if (problems.length < MAX_PROBLEMS) problems.push(...problemsOf(notice, this.#concernedBy(notice)));
    }
    const accounts: SnapshotAccount[] = [];
    for (const draft of this.#accounts) {
      if (slices.isOver) await slices.giveWay();
      const told = toAccount(draft, this.request.today);
      accounts.push(told.account);
      problems.push(...told.problems);
    }
    return { accounts, problems };
  }

  #concernedBy(notice: Notice): string[] {
    const concerned = this.#accounts.filter((account) => concerns(notice, account.concerned));
    return concerned.map(({ externalId }) => externalId);
  }
}
