import { MAX_ACCOUNTS } from '../answer-limits.js';
import { unreadableAccount } from '../account-problems.js';
import type { BankSnapshot, SnapshotAccount, SnapshotRequest } from '../bank-provider.js';
import { contradictionOf, type StatedFact } from '../contradicting-listings.js';
import { lineOf, reportedCurrency } from '../read-values.js';
import { readHoldings } from '../feed/holdings.js';
import { readRows } from '../feed/rows.js';
import { type AccountDraft, readBalance, toAccount } from '../feed/to-account.js';
import type { Interruption, WindowRules } from '../feed/windows.js';
import { TransactionHistory, type Window, type WindowRows } from '../transaction-history.js';
import type { ProviderProblem } from '../provider-error.js';
import { currencyCode } from '../../platform/money/currency.js';
import { decimalOf } from '../../platform/money/minor-units.js';
import { AccountIds } from './account-ids.js';
import {
  type AccountSet,
  balanceOf,
  institutionOf,
  readHolding,
  readTransaction,
  type WireAccount,
  type WireConnection,
} from './payload.js';
import { concerns, type Concerned, isGeneral, problemsOf, type ProviderWarning, providerWarnings } from './warnings.js';

/** An account of the newest answer, with what warnings may say of it. */
type ListedAccount = AccountDraft & { concerned: Concerned };

/**
 * From 45 days the provider warns, from 90 it cuts off the oldest part. One request is for all accounts, so the newest
 * window is as long as one may be: banks list transactions weeks late.
 */
export const WINDOWS: WindowRules = { days: 44, overlapDays: 5, shortestDays: 0 };

const NO_ACCOUNTS =
  'The provider lists no accounts. Your data is unchanged. Check at the provider that accounts are connected.';

/**
 * A snapshot that grows with every window. Balances come from an answer of their own, holdings from the newest window.
 */
export class SnapshotDraft {
  readonly #accounts: ListedAccount[] = [];
  readonly #warnings = new Map<string, ProviderWarning>();
  /** Of accounts that cannot be read, each once however many windows list it. */
  readonly #issues = new Map<string, AccountSet['issues'][number]>();
  /** By external id, of accounts whose listings contradict each other. */
  readonly #contradictions = new Map<string, ProviderProblem>();
  readonly #problems: ProviderProblem[] = [];

  private constructor(
    private readonly request: SnapshotRequest,
    private readonly ids: AccountIds,
  ) {}

  static start(balances: AccountSet, newest: AccountSet, window: Window, request: SnapshotRequest): SnapshotDraft {
    const connections = new Map([...balances.connections, ...newest.connections].map((one) => [one.conn_id, one]));
    const warnings = [...providerWarnings(balances), ...providerWarnings(newest)];
    const reports = readableReports(balances, newest);
    const listed = [...newest.accounts, ...reports];
    const ids = new AccountIds(listed, connections, request.knownAccounts);
    const draft = new SnapshotDraft(request, ids);
    // The two answers may differ, as when the bank was refreshed in between.
    const answers = [ids.group(newest.accounts), ids.group([...reports])];
    for (const [externalId, listings] of ids.group(listed)) {
      if (answers.some((answer) => draft.#contradict(externalId, answer.get(externalId)))) continue;
      const wire = currentAccount(listings, reports);
      draft.#accounts.push(startAccount(externalId, wire, connections.get(wire.conn_id), warnings, request));
    }
    const issue = newest.connectionIssue ?? balances.connectionIssue;
    if (issue !== null) draft.#problems.push(unreadableConnections(issue));
    // An outage looks like an empty list.
    if (listed.length === 0) draft.#problems.push({ kind: 'data_incomplete', message: NO_ACCOUNTS });
    draft.add(window, newest, warnings);
    return draft;
  }

  get histories(): TransactionHistory[] {
    return this.#accounts.map(({ history }) => history);
  }

  add(window: Window, set: AccountSet, warnings = providerWarnings(set)): void {
    for (const warning of warnings) this.#warnings.set(JSON.stringify(warning), warning);
    for (const { id, issue } of set.issues)
      if (!this.#issues.has(id ?? issue)) this.#issues.set(id ?? issue, { id, issue });
    const listed = this.ids.group(set.accounts);
    for (const { externalId, concerned, history } of this.#accounts) {
      const leavesGap = warnings.some((warning) => warning.leavesGap && concerns(warning, concerned));
      const listings = listed.get(externalId) ?? [];
      const counting = this.#contradict(externalId, listings) ? [] : listings;
      history.add(window, windowRows(counting, leavesGap, this.request));
    }
  }

  /** Whether the listings of an account in one answer contradict each other, which becomes a problem. */
  #contradict(externalId: string, listings: readonly WireAccount[] = []): boolean {
    const problem = contradictionOf(externalId, listings, statementsOf);
    if (problem) this.#contradictions.set(externalId, problem);
    return problem !== null;
  }

  toSnapshot(interruption: Interruption | null): BankSnapshot {
    const problems: ProviderProblem[] = [];
    for (const { id, issue } of this.#issues.values()) {
      const stored = id === null ? [] : this.ids.unlisted(id);
      problems.push(...(stored.length === 0 ? [id] : stored).map((name) => unreadableAccount(name, issue)));
    }
    problems.push(...this.#contradictions.values(), ...this.#problems);
    if (interruption) problems.push(interruption.problem);
    for (const warning of this.#warnings.values()) {
      // One for each account fits, because an account that is not listed counts as missing unless a problem names it.
      if (problems.length < MAX_ACCOUNTS) problems.push(...problemsOf(warning, this.#concernedBy(warning)));
    }
    const accounts: SnapshotAccount[] = [];
    for (const draft of this.#accounts) {
      const translated = toAccount(draft, this.request.today);
      accounts.push(translated.account);
      problems.push(...translated.problems);
    }
    return { accounts, problems, retryAfterSeconds: interruption?.retryAfterSeconds ?? null };
  }

  /** With the stored accounts that are not listed, which then do not count as missing. */
  #concernedBy(warning: ProviderWarning): string[] {
    const concerned = this.#accounts.filter((account) => concerns(warning, account.concerned));
    const unlisted = warning.accountId === null ? [] : this.ids.unlisted(warning.accountId);
    return [...concerned.map(({ externalId }) => externalId), ...unlisted];
  }
}

function startAccount(
  externalId: string,
  wire: WireAccount,
  connection: WireConnection | undefined,
  warnings: readonly ProviderWarning[],
  request: SnapshotRequest,
): ListedAccount {
  const institutions = [wire.org?.name, wire.org?.domain, connection?.org_name, connection?.name];
  const concerned = { id: wire.id, connectionId: wire.conn_id ?? null, institutions };
  const own = warnings.filter((warning) => !isGeneral(warning) && concerns(warning, concerned));
  const isUnreadable = own.some(({ stale }) => stale);
  // Older windows bring nothing for an account that cannot be read now or whose amounts cannot be stored.
  const isNewestOnly = isUnreadable || currencyCode(wire.currency) === null;
  return {
    externalId,
    concerned,
    isUnreadable,
    name: wire.name,
    currency: wire.currency,
    institution: institutionOf(wire, connection),
    balance: balanceOf(wire),
    holdings: wire.holdings ? { items: wire.holdings, read: readHolding, isForAllTypes: true } : null,
    history: new TransactionHistory(externalId, request, WINDOWS.overlapDays, isNewestOnly),
    known: request.knownAccounts?.get(externalId),
    hasFailed: own.some(({ stale, accountId }) => stale && accountId !== null),
    isExplained: own.length > 0,
  };
}

/**
 * @param listed the account, as often as the answer lists it
 * @param saysGap whether a warning says that transactions may be missing
 */
function windowRows(listed: readonly WireAccount[], saysGap: boolean, request: SnapshotRequest): WindowRows {
  const currency = listed.map((wire) => currencyCode(wire.currency)).find((code) => code !== null) ?? null;
  const items = listed.flatMap(({ transactions }) => transactions ?? []);
  const { today, includePending } = request;
  const wanted = { items, read: readTransaction, currency, isUnsupported: currency === null, today, includePending };
  return { ...readRows(wanted), leavesGap: saysGap || listed.length === 0 };
}

function unreadableConnections(issue: string): ProviderProblem {
  const message = `The provider’s answer is not as expected at ${issue}. Names of banks may be missing.`;
  return { kind: 'unexpected_reply', message };
}

/** The accounts with current balances that are not invalid in the newest window. */
function readableReports(balances: AccountSet, newest: AccountSet): ReadonlySet<WireAccount> {
  const unreadable = new Set(newest.issues.map(({ id }) => id));
  return new Set(balances.accounts.filter(({ id }) => !unreadable.has(id)));
}

/**
 * Combines the balance of one answer with the holdings of the newest window, because the request for balances lists no
 * holdings. Perhaps only one of them lists the account.
 */
function currentAccount(
  listings: readonly [WireAccount, ...WireAccount[]],
  reports: ReadonlySet<WireAccount>,
): WireAccount {
  return combine(
    newestOf(listings.filter((wire) => !reports.has(wire))),
    newestOf(listings.filter((wire) => reports.has(wire))),
    listings[0],
  );
}

function combine(listed: WireAccount | undefined, report: WireAccount | undefined, either: WireAccount): WireAccount {
  if (!report) return either;
  // The bank was refreshed between the two requests. This balance fits the transactions.
  if (listed && balanceSeconds(listed) > balanceSeconds(report)) return listed;
  return { ...report, holdings: listed?.holdings };
}

/** Of an account that is listed twice, as before and after the bank was refreshed. */
function newestOf([first, ...others]: readonly WireAccount[]): WireAccount | undefined {
  return others.reduce((newest, wire) => (isNewer(wire, newest!) ? wire : newest), first);
}

/** Of the same moment, one with holdings counts before one without. */
function isNewer(wire: WireAccount, other: WireAccount): boolean {
  const seconds = balanceSeconds(wire) - balanceSeconds(other);
  const listsMore = (wire.holdings ?? []).length > 0 && (other.holdings ?? []).length === 0;
  return seconds > 0 || (seconds === 0 && listsMore);
}

function statementsOf(wire: WireAccount): StatedFact[] {
  const { 'balance-date': moment } = wire;
  const minor = readBalance(balanceOf(wire), wire.currency)?.amountMinor;
  return [
    { fact: 'name', value: lineOf(wire.name) },
    { fact: 'currency', value: reportedCurrency(wire.currency) },
    { fact: 'balance', value: minor === undefined ? decimalOf(wire.balance) : String(minor), moment },
    { fact: 'list of holdings', value: holdingsText(wire), moment },
  ];
}

/** Equal for lists of the same holdings in any order; `null`: none is listed, or they cannot be read. */
function holdingsText({ holdings, currency }: WireAccount): string | null {
  const code = currencyCode(currency);
  const positions = holdings && code ? readHoldings({ items: holdings, read: readHolding }, code).value : null;
  if (!positions?.length) return null;
  const texts = positions.map(({ externalId, quantity, valueMinor }) =>
    JSON.stringify([externalId, Number(quantity), valueMinor]),
  );
  return texts.sort().join();
}

function balanceSeconds(wire: WireAccount): number {
  return wire['balance-date'] ?? 0;
}
