import {
  NO_BALANCE,
  NO_CURRENCY,
  problemsOfRows,
  unreadableAccount,
  unreadableBalance,
} from '../../../src/bank-provider/account-problems.js';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../../../src/bank-provider/bank-provider.js';
import { neededFrom, TransactionHistory, type Window } from '../../../src/bank-provider/transaction-history.js';
import { ProviderError, type ProviderProblem } from '../../../src/bank-provider/provider-error.js';
import type { Secret } from '../../../src/config/secret.js';
import { longDate } from '../../../src/time/calendar-date.js';
import { accessTokenOf } from './credential.js';
import type { ThirdProviderClient } from './third-provider.client.js';
import { mapAccount, mapTransactions } from './third-provider.mapper.js';
import type { WireAccount } from './third-provider.schemas.js';
import { newestWindow, nextWindow, OVERLAP_DAYS } from './third-provider.windows.js';

interface Draft {
  wire: WireAccount;
  history: TransactionHistory;
}

/** What kept the older transactions from coming. */
interface Interruption extends Pick<ProviderError, 'retryAfterSeconds'> {
  problem: ProviderProblem;
}

export class ThirdProvider extends BankProvider {
  /** Each connection decides whether it imports pending transactions. */
  readonly pendingSwitch = null;

  constructor(private readonly client: ThirdProviderClient) {
    super();
  }

  async connect(pasted: Secret, signal?: AbortSignal): Promise<Secret> {
    const token = accessTokenOf(pasted);
    await this.client.checkToken(token, signal);
    return token;
  }

  /** The accounts with their balances, then the transactions of all of them, newest window first. */
  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    request.onProgress({ step: 'accounts', accountsTotal: null });
    const { accounts, issues } = await this.client.accounts(request);
    const drafts = accounts.map((wire) => startDraft(wire, request));
    const interruption = await this.#fetchTransactions(drafts, request);
    return {
      accounts: drafts.map(({ wire, history }) => mapAccount(wire, history)),
      problems: [
        ...(interruption ? [interruption.problem] : []),
        ...issues.map(({ id, issue }) => unreadableAccount(id, issue)),
        ...drafts.flatMap(problemsOf),
      ],
      retryAfterSeconds: interruption?.retryAfterSeconds ?? null,
    };
  }

  /** @returns why not all of them came; `null`: they did */
  async #fetchTransactions(drafts: readonly Draft[], request: SnapshotRequest): Promise<Interruption | null> {
    const histories = drafts.map(({ history }) => history);
    let window: Window | null = newestWindow(request);
    while (window !== null) {
      const since = longDate(window.from);
      request.onProgress({ step: `transactions since ${since}`, accountsTotal: drafts.length });
      try {
        const transactions = await this.client.transactions(window, request);
        for (const { wire, history } of drafts) {
          history.add(window, mapTransactions(wire, transactions, request.includePending));
        }
      } catch (error) {
        // What has come is kept. Only a person can help with the rest: then the whole sync fails and says so.
        if (!(error instanceof ProviderError) || error.needsPerson) throw error;
        const { kind, retryAfterSeconds } = error;
        const message = `${error.message} Some transactions since ${since} are missing.`;
        return { problem: { kind, message, isOfOlderDays: true }, retryAfterSeconds };
      }
      window = nextWindow(histories);
    }
    return null;
  }
}

function startDraft(wire: WireAccount, request: SnapshotRequest): Draft {
  const needed = neededFrom(wire.id, request, OVERLAP_DAYS);
  return { wire, history: new TransactionHistory(wire.id, request, needed) };
}

function problemsOf({ wire, history }: Draft): ProviderProblem[] {
  const { currency, balance } = mapAccount(wire, history);
  const problems = [...problemsOfRows(history)];
  if (currency === null) problems.push(NO_CURRENCY);
  else if (balance === null)
    problems.push(wire.balance?.trim() ? unreadableBalance(wire.balance, currency) : NO_BALANCE);
  return problems.map((problem) => ({ ...problem, accountExternalId: wire.id }));
}
