import type { CalendarDate } from '../time/calendar-date.js';
import type { ProviderProblem } from './provider-error.js';
import type { RequestBudget } from './request-budget.js';
import type { Secret } from '../config/secret.js';

/**
 * The port: what sync needs of a bank-connectivity provider. One vendor answers with one call, another with four per
 * account; nobody outside its folder knows.
 */
export abstract class BankProvider {
  /** Pending transactions for every connection, as the environment says; `null`: each connection decides for itself. */
  abstract readonly pendingSwitch: boolean | null;

  /**
   * Turns what a person pasted (a setup token, an API key) into the credential to store. May spend a single-use code:
   * the caller stores the result before it does anything else.
   *
   * @param signal aborted when nobody waits any longer; absent: only the timeouts of the requests count
   * @throws ProviderInputError when the text cannot be such a secret; nothing was contacted
   * @throws ProviderError when the provider refuses it or cannot be reached
   */
  abstract connect(pasted: Secret, signal?: AbortSignal): Promise<Secret>;

  /**
   * Everything the provider tells about the accounts behind a credential, translated. Trouble with one account or one
   * institution is a problem in the snapshot; an exception means that nothing came but what `onAccount` was told.
   *
   * @throws ProviderError with the kind of the failure; text and cause are free of secrets
   */
  abstract fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot>;
}

export interface SnapshotRequest {
  credential: Secret;
  /** Today in UTC. */
  today: CalendarDate;
  /** The oldest day whose transactions are wanted of an account seen for the first time. */
  historyFrom: CalendarDate;
  /** For each known account, by external id: the day up to which its transactions are known without a gap. */
  completeUntil: ReadonlyMap<string, CalendarDate>;
  /** For each account whose beginning was never reached, by external id: what is known, to go on from there. */
  partlyKnown?: ReadonlyMap<string, KnownPart>;
  includePending: boolean;
  /** Accounts, by external id, of which it is known that holdings are unavailable: not worth a request now. */
  withoutHoldings: ReadonlySet<string>;
  /** Whether to ask the provider's server what it says of itself, if that takes a request of its own. */
  wantsServerInfo?: boolean;
  /** Asked before every single request, retries included. */
  budget: RequestBudget;
  onProgress: (progress: SnapshotProgress) => void;
  /** Told of an account as soon as nothing more of it will come; it is in the snapshot, too. */
  onAccount?: (account: SnapshotAccount) => void;
  signal: AbortSignal;
}

/** Between these days an account is known without a gap, although what lies before them was never had. */
export interface KnownPart {
  from: CalendarDate;
  until: CalendarDate;
}

export interface SnapshotProgress {
  /** What is being fetched, for a person: "transactions since 3 March 2026". */
  step: string;
  accountsTotal: number | null;
}

/** What a provider said, translated; kept by nobody as it is. */
export interface BankSnapshot {
  accounts: SnapshotAccount[];
  problems: ProviderProblem[];
  /** The protocol versions that the server reports; none: it tells nothing; absent: it was not asked or not reached. */
  serverVersions?: string[];
}

export interface SnapshotAccount {
  /** The provider's id, unique within one credential. */
  externalId: string;
  /** As the provider writes it: untrusted text, at most 200 characters, no control characters. */
  name: string;
  institution: string | null;
  /** ISO 4217 code; the provider's own text (a URL, an unknown code) when it is none; `null` when it did not say. */
  currency: string | null;
  /** `null` means no news, never zero. Always `null` for a currency without minor units. */
  balance: SnapshotBalance | null;
  /** Of a currency without minor units: the decimal text of the balance as reported. */
  unsupportedBalance?: string | null;
  /** A guess from name, holdings and balances; a person's choice always beats it. */
  suggestedType: string | null;
  /** Newest last or first, in any order; each external id at most once. */
  transactions: SnapshotTransaction[];
  /**
   * Whether `transactions` lacks nothing that was asked for: from `coveredFrom` until now, and `coveredFrom` reaches back
   * to what was known before or to all the provider has. Only then may absence mean anything.
   */
  complete: boolean;
  /** The day from which on nothing is missing, even where the whole is not complete; `null`: none. */
  coveredFrom: CalendarDate | null;
  /** The same for `transactions` and what of the account was partly known together. */
  knownFrom: CalendarDate | null;
  /** How many rows could not be read. Unless it is 0, a transaction that is not listed may be one of them. */
  unreadableRows: number;
  holdings: HoldingsAnswer;
}

export interface SnapshotBalance {
  /** As reported, in the provider's own sign: what it means for a liability is decided by the account's type. */
  amountMinor: number;
  availableMinor: number | null;
  /** The day the provider says the balance is of, if it says. */
  date: CalendarDate | null;
}

export interface SnapshotTransaction {
  /** Unique within its account only. */
  externalId: string;
  /** Booked: the booking day. Pending: the day it was made. */
  date: CalendarDate;
  /** The provider gave no date at all and this is the day of the request: a date stored before is the better one. */
  dateIsGuess?: true;
  /** Holder's view: positive = into the account. In the minor unit of `currency`. */
  amountMinor: number;
  /** ISO 4217 code. Another than the account's is possible, and is never counted 1:1. */
  currency: string;
  description: string;
  merchant: string | null;
  pending: boolean;
}

/** Expected absence is a value: `unavailable` = this account has none, `unknown` = not told this time. */
export type HoldingsAnswer =
  | { status: 'available'; items: SnapshotHolding[]; total: SnapshotMoney | null }
  | { status: 'unavailable' }
  | { status: 'unknown' };

export interface SnapshotMoney {
  amountMinor: number;
  /** ISO 4217 code. */
  currency: string;
}

export interface SnapshotHolding {
  externalId: string;
  symbol: string | null;
  name: string;
  /** Decimal text, exact. */
  quantity: string;
  /** Of one unit in `currency`, decimal text; `null`: neither told nor to be had from value and quantity. */
  price: string | null;
  valueMinor: number;
  currency: string;
  /** Total cost of the position, or `null` where the provider's figure is ambiguous. */
  costBasisMinor: number | null;
  /** A money-market fund or sweep: listed as a holding, cash in its owner's eyes. */
  cashEquivalent: boolean;
}
