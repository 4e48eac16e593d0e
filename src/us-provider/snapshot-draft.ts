import { unreadableAccount } from '../bank-provider/account-problems.js';
import type { BankSnapshot, SnapshotRequest } from '../bank-provider/bank-provider.js';
import type { Missing, Window } from '../bank-provider/transaction-history.js';
import type { ProviderError, ProviderProblem } from '../bank-provider/provider-error.js';
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
  readonly #accounts: AccountDraft[];
  readonly #notices = new Map<string, Notice>();
  readonly #problems: ProviderProblem[] = [];

  constructor(
    balances: AccountSet,
    newest: AccountSet,
    window: Window,
    private readonly request: SnapshotRequest,
  ) {
    const connections = new Map([...balances.connections, ...newest.connections].map((one) => [one.conn_id, one]));
    const notices = [...noticesOf(balances), ...noticesOf(newest)];
    this.#accounts = accountsOfNow(balances, newest).map(([externalId, wire]) =>
      startAccount(externalId, wire, connections.get(wire.conn_id), notices, request),
    );
    for (const { id, surprise } of newest.surprises) this.#problems.push(unreadableAccount(id, surprise));
    // Never a fact: it is what an outage looks like.
    if (this.#accounts.length === 0) this.#problems.push({ kind: 'data_incomplete', message: NO_ACCOUNTS });
    this.add(window, newest, notices);
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
  add(window: Window, set: AccountSet, notices = noticesOf(set)): void {
    for (const notice of notices) this.#notices.set(JSON.stringify(notice), notice);
    const listed = byExternalId(set.accounts);
    for (const { externalId, concerned, history } of this.#accounts) {
      const leavesGap = notices.some((notice) => notice.leavesGap && concerns(notice, concerned));
      history.add(window, windowRows(listed.get(externalId) ?? [], leavesGap, this.request));
    }
  }

  /** Older windows did not come: what came is kept, the rest will be asked for again. */
  interrupt({ kind, message }: ProviderError, { until }: Missing): void {
    this.#problems.push({ kind, message: `The history before ${until} could not be fetched. ${message}` });
  }

  toSnapshot(): BankSnapshot {
    const complaints = [...this.#notices.values()].flatMap((notice) => problemsOf(notice, this.#concernedBy(notice)));
    const told = this.#accounts.map((account) => toAccount(account, this.request.today));
    return {
      accounts: told.map(({ account }) => account),
      problems: [...this.#problems, ...complaints, ...told.flatMap(({ problems }) => problems)],
    };
  }

  #concernedBy(notice: Notice): string[] {
    const concerned = this.#accounts.filter((account) => concerns(notice, account.concerned));
    return concerned.map(({ externalId }) => externalId);
  }
}
