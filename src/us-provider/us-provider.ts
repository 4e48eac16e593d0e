import {
  BankProvider,
  type BankSnapshot,
  type SnapshotRequest,
  type SnapshotTransaction,
} from '../bank-provider/bank-provider.js';
import type { NetworkRules } from '../bank-provider/network-guard.js';
import { ProviderError, type ProviderProblem } from '../bank-provider/provider-error.js';
import type { Secret } from '../bank-provider/secret.js';
import { type CalendarDate, unixSecondsOf } from '../time/calendar-date.js';
import type { UsProviderClient } from './client.js';
import { accessOf, accessUrlOf, claimUrlOf } from './credential.js';
import { institutionOf, isPending, mapAccount, mapTransaction } from './mapper.js';
import { type Notice, noticesOf, problemsOf } from './notices.js';
import type { AccountSet, WireAccount } from './payload.js';
import { EMPTY_WINDOWS_TO_STOP, firstDayToAsk, type Window, windowsBack } from './windows.js';

/** What the windows brought, account by account. */
interface Gathered {
  transactions: Map<string, Map<string, SnapshotTransaction>>;
  holdings: Map<string, WireAccount['holdings']>;
  notices: Notice[];
  /** The first day of the oldest window that arrived. */
  coveredFrom: CalendarDate | null;
  /** What ended the fetching early, if anything did. */
  interruption: ProviderError | null;
}

export class UsProvider extends BankProvider {
  readonly name = 'us_provider';
  readonly requestsPerDay = 24;

  constructor(
    private readonly client: UsProviderClient,
    private readonly rules: NetworkRules,
  ) {
    super();
  }

  async connect(setupToken: Secret): Promise<Secret> {
    return accessUrlOf(await this.client.claim(claimUrlOf(setupToken, this.rules)), this.rules);
  }

  /** One undated request for today's balances, then windows of transactions, newest first. */
  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    const { credential, budget, signal } = request;
    const access = accessOf(credential, this.rules);
    request.onProgress({ step: 'asking for balances', accountsTotal: null });
    const today = await this.client.accounts(access, { balancesOnly: true, includePending: false }, budget, signal);
    const balances = byExternalId(today.accounts);
    const from = firstDayToAsk([...balances.keys()], request.completeUntil, request.historyFrom);
    const gathered = emptyGathering(noticesOf(today));
    // An empty list is how an outage looks, and nothing to ask about.
    if (balances.size > 0) await this.#gather(gathered, request, from, balances.size);
    return toSnapshot(today, balances, gathered);
  }

  /** What arrived before an interruption is kept; without the newest window there is nothing to keep. */
  async #gather(
    gathered: Gathered,
    request: SnapshotRequest,
    from: CalendarDate,
    accountsTotal: number,
  ): Promise<void> {
    const access = accessOf(request.credential, this.rules);
    let empty = 0;
    for (const window of windowsBack(request.today, from)) {
      request.onProgress({ step: `asking for transactions since ${window.from}`, accountsTotal });
      try {
        const set = await this.client.accounts(access, windowQuery(window, request), request.budget, request.signal);
        const rows = addWindow(gathered, set, window, request);
        empty = rows === 0 ? empty + 1 : 0;
      } catch (error) {
        if (!(error instanceof ProviderError) || gathered.coveredFrom === null || error.needsPerson) throw error;
        gathered.interruption = error;
        return;
      }
      if (empty === EMPTY_WINDOWS_TO_STOP) return;
    }
  }
}

function emptyGathering(notices: Notice[]): Gathered {
  return { transactions: new Map(), holdings: new Map(), notices, coveredFrom: null, interruption: null };
}

function windowQuery(window: Window, { includePending }: SnapshotRequest) {
  return {
    balancesOnly: false,
    startSeconds: unixSecondsOf(window.from),
    // No end for the newest window: an answer with an end may be dated by it, and holdings are wanted as of now.
    ...(window.until === null ? {} : { endSeconds: unixSecondsOf(window.until) }),
    includePending,
  };
}

/** @returns how many rows the window held */
function addWindow(gathered: Gathered, set: AccountSet, window: Window, request: SnapshotRequest): number {
  let rows = 0;
  for (const [externalId, account] of byExternalId(set.accounts)) {
    if (window.until === null) gathered.holdings.set(externalId, account.holdings);
    const known = gathered.transactions.get(externalId) ?? new Map<string, SnapshotTransaction>();
    gathered.transactions.set(externalId, known);
    for (const wire of account.transactions ?? []) {
      if (isPending(wire) && !request.includePending) continue;
      const transaction = mapTransaction(wire, account, request.today);
      // Newest window first, so that what is known already is the later word on the same id.
      if (!transaction || (known.has(transaction.externalId) && !transaction.pending)) continue;
      if (!known.has(transaction.externalId)) known.set(transaction.externalId, transaction);
      rows++;
    }
  }
  gathered.notices.push(...noticesOf(set));
  gathered.coveredFrom = window.from;
  return rows;
}

function toSnapshot(today: AccountSet, balances: Map<string, WireAccount>, gathered: Gathered): BankSnapshot {
  const connections = new Map((today.connections ?? []).map((connection) => [connection.conn_id, connection]));
  const connectionOf = (wire: WireAccount) => connections.get(wire.conn_id ?? '');
  const concerns = (notice: Notice, externalId: string, wire: WireAccount) =>
    (notice.accountId === null || notice.accountId === wire.id || notice.accountId === externalId) &&
    (notice.connectionId === null || notice.connectionId === wire.conn_id) &&
    (notice.institution === null || notice.institution === institutionOf(wire, connectionOf(wire)));

  const problems: ProviderProblem[] = [];
  for (const notice of unique(gathered.notices)) {
    if (notice.kind === 'access_revoked') throw new ProviderError('access_revoked', notice.message);
    const concerned = [...balances].filter(([externalId, wire]) => concerns(notice, externalId, wire));
    problems.push(
      ...problemsOf(
        notice,
        concerned.map(([externalId]) => externalId),
      ),
    );
  }
  if (gathered.interruption) problems.push({ kind: gathered.interruption.kind, message: interruptedWords(gathered) });
  if (balances.size === 0) problems.push({ kind: 'data_incomplete', message: NO_ACCOUNTS });

  const accounts = [...balances].map(([externalId, wire]) => {
    const mine = gathered.notices.filter((notice) => concerns(notice, externalId, wire));
    return mapAccount(externalId, {
      ...{ wire, connection: connectionOf(wire), holdings: gathered.holdings.get(externalId) ?? null },
      transactions: [...(gathered.transactions.get(externalId)?.values() ?? [])],
      coveredFrom: gathered.coveredFrom,
      complete:
        gathered.interruption === null &&
        gathered.transactions.has(externalId) &&
        !mine.some(({ leavesGap }) => leavesGap),
      stale: mine.some(({ stale }) => stale),
    });
  });
  return { accounts, problems };
}

const NO_ACCOUNTS =
  'The provider lists no accounts. Nothing was changed; if this stays so, check at the provider that accounts are connected.';

function interruptedWords({ interruption, coveredFrom }: Gathered): string {
  return `History before ${coveredFrom} is still missing and will be asked for again. ${interruption?.message ?? ''}`.trim();
}

/**
 * Accounts by a key that is theirs alone: the provider's id, which is unique within one login only, so that the same id
 * at another login gets the login's name before it. A row that is repeated is the same account.
 */
function byExternalId(accounts: readonly WireAccount[]): Map<string, WireAccount> {
  const keyed = new Map<string, WireAccount>();
  for (const account of [...accounts].sort((a, b) => loginOf(a).localeCompare(loginOf(b)))) {
    const known = keyed.get(account.id);
    const isOther = known !== undefined && loginOf(known) !== loginOf(account);
    const key = isOther ? `${loginOf(account)}/${account.id}` : account.id;
    if (!keyed.has(key)) keyed.set(key, account);
  }
  return keyed;
}

function loginOf({ conn_id, org }: WireAccount): string {
  return conn_id ?? org?.domain ?? org?.id ?? org?.name ?? '';
}

function unique(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [JSON.stringify(notice), notice])).values()];
}
