import type { CalendarDate } from '../platform/time/calendar-date.js';
import type { CoveredDays } from '../platform/time/covered-days.js';
import type { ProviderProblem } from './provider-error.js';
import type { Secret } from '../platform/config/secret.js';

/**
 * The port: what sync needs from a bank-connectivity provider. How many calls a vendor takes for it is known only in
 * the vendor's folder.
 */
export abstract class BankProvider {
  /**
   * Whether the environment decides about pending transactions for all connections; `null`: each connection decides.
   */
  abstract readonly pendingSwitch: boolean | null;

  /**
   * Turns what a person pasted (a setup token, an API key) into the credential to store. May spend a single-use code:
   * the caller stores the result before it does anything else. After a consent the text is what {@link returnedConsent} reads.
   *
   * @param signal aborts the requests; absent: only their timeouts do
   * @throws ProviderInputError when the text cannot be such a secret; nothing was contacted
   * @throws ProviderError when the provider refuses it or cannot be reached
   */
  abstract connect(pasted: Secret, signal?: AbortSignal): Promise<Secret>;

  /**
   * Fetches everything the provider reports about the accounts of a credential. An error of one account or institution
   * is a problem in the snapshot. After an exception only the accounts given to `onAccount` are valid.
   *
   * @throws ProviderError with the kind of the failure; text and cause are free of secrets
   */
  abstract fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot>;

  /**
   * Begins a consent that a person gives on a page of the vendor or the bank. Absent: a person pastes a secret.
   *
   * @throws ProviderInputError, ProviderError like `connect`
   */
  startConsent?(wanted: WantedConsent): Promise<StartedConsent>;

  /** Finds banks by their names, for a consent. Absent: the vendor's page asks which bank it is. @throws ProviderError */
  searchInstitutions?(wanted: { text: string; country: string; signal: AbortSignal }): Promise<readonly Institution[]>;

  /**
   * Reads what the vendor sends to `POST /pushes/<name>` when it has something new. Absent: it sends nothing. One that
   * is sent again must say the same.
   *
   * @returns the vendor's ids of the accesses to sync, as `externalId` of their snapshots; none: the push is about something else
   * @throws ProviderInputError when it is not signed by the vendor
   */
  readPush?(push: ProviderPush): Promise<readonly string[]>;
}

/** A bank, as the vendor knows it. */
export interface Institution {
  /** At most 200 characters. */
  id: string;
  name: string;
}

export interface WantedConsent {
  /** The address that the person comes back to. It gets the parameter `state`, beside what the vendor adds. */
  returnTo: string;
  /** Where the vendor may push that there is something new. */
  pushTo: string;
  /** Comes back as the parameter `state` of {@link returnTo}, by which Tidemark knows what was begun. */
  state: string;
  /** What `searchInstitutions` has found; `null`: nothing was chosen. */
  institutionId: string | null;
  /** The credential of a connection whose consent is renewed; `null`: it is a new one. */
  renews: Secret | null;
  signal: AbortSignal;
}

export interface StartedConsent {
  /** Where the person gives it. */
  address: string;
  /** What `connect` needs to know of it; at most 2,000 characters. */
  kept: string;
}

/** What a person comes back with from a consent. */
export interface ReturnedConsent {
  kept: string;
  /** The parameters of the address. */
  returned: Readonly<Record<string, string>>;
}

/** Of the text that `connect` gets; `null`: it is something else. */
export function returnedConsent(pasted: Secret): ReturnedConsent | null {
  try {
    const { kept, returned } = JSON.parse(pasted.reveal()) as Partial<ReturnedConsent>;
    return typeof kept === 'string' && typeof returned === 'object' ? { kept, returned } : null;
  } catch {
    return null;
  }
}

/** A request of the vendor, of whose sender nothing is known. */
export interface ProviderPush {
  /** By names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it was sent, at most 64 KiB: what a signature is of. */
  body: Buffer;
  /** The vendor waits for the answer. */
  signal: AbortSignal;
}

export interface SnapshotRequest {
  credential: Secret;
  /** Today in UTC. */
  today: CalendarDate;
  /** The oldest day to fetch for a new account. */
  historyFrom: CalendarDate;
  /** By external id: the days whose transactions are stored. The others since `historyFrom` are fetched, newest first. */
  covered: ReadonlyMap<string, CoveredDays>;
  /** Up to where the vendor's changes are stored, as the provider said last; `null` or absent: everything is wanted. */
  cursor?: string | null;
  /** By external id: the stored accounts of the connection, deleted ones included; absent: none. */
  knownAccounts?: ReadonlyMap<string, KnownAccount>;
  includePending: boolean;
  /** External ids of accounts that have no holdings, so that no request is spent on them. */
  withoutHoldings: ReadonlySet<string>;
  /** Whether to fetch the server's protocol versions if that takes a request of its own. */
  wantsServerInfo?: boolean;
  /** Counts every request before it is sent, retries included. */
  budget: RequestBudget;
  /**
   * Stores the credential by which the vendor has replaced this one, at once and whatever becomes of the sync.
   *
   * @throws an error that the provider must not catch, when this sync may write no more
   */
  renewCredential: (renewed: Secret) => Promise<void>;
  onProgress: (progress: SnapshotProgress) => void;
  /** Gets each account as soon as it is complete; the snapshot lists it, too. */
  onAccount?: (account: SnapshotAccount) => void;
  signal: AbortSignal;
}

/** What is stored of an account. */
export interface KnownAccount {
  name: string;
  /** Whether a person chose the name, so that the provider's is unknown. */
  nameChosen: boolean;
  /** `null`: unknown. */
  institution: string | null;
  /** ISO 4217 code, or the provider's text in its place; `null`: it was never known. */
  currency: string | null;
  accountType: string | null;
  /** Whether it has holdings, as the provider said last; `null`: it never said. */
  holdingsSupported: boolean | null;
}

interface SnapshotProgress {
  /** What is being fetched, for a person: "transactions since 3 March 2026". */
  step: string;
  accountsTotal: number | null;
}

/** A provider's answer in our terms. It is not stored as it is. */
export interface BankSnapshot {
  accounts: SnapshotAccount[];
  problems: ProviderProblem[];
  /** How long the provider asks to wait, if that is why the snapshot is not whole; `null`: it does not. */
  retryAfterSeconds: number | null;
  /**
   * Up to where these are the vendor's changes. It is stored once all of them are, in the transaction that ends the sync, so a
   * sync that was cut short asks for the same changes again. Absent: the one before is kept.
   */
  cursor?: string;
  /** The vendor's own id of this access, by which its pushes name it; absent: not known, or as before. */
  externalId?: string;
  /** When the consent ends, so that people hear of it before; `null`: never; absent: as before. */
  accessUntil?: Date | null;
  /** The protocol versions that the server reports, perhaps none; absent: it was not asked or did not answer. */
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
  /** `null`: not reported, which is not zero. Always `null` for a currency without minor units. */
  balance: SnapshotBalance | null;
  /** Of a currency without minor units: the decimal text of the balance as reported. */
  unsupportedBalance?: string | null;
  /** A guess from name, holdings and balances. A person's choice takes precedence. */
  suggestedType: string | null;
  /** In any order; each external id at most once. */
  transactions: SnapshotTransaction[];
  /**
   * External ids of transactions that are gone. Present, perhaps empty: `transactions` are only those that are new or have
   * changed since the cursor of the request, and all others stay. Absent: `transactions` is a list.
   */
  removed?: readonly string[];
  /**
   * The days of which the list is whole, with these changes if they are changes: a stored transaction of such a day that a
   * list lacks is gone. None, or the days from one until today, and perhaps older ones. Without a first day, where the bank
   * has nothing older.
   */
  covered: CoveredDays;
  /** How many rows could not be read. A transaction that is not listed may be one of them. */
  unreadableRows: number;
  holdings: HoldingsAnswer;
}

export interface SnapshotBalance {
  /** As reported, in the provider's sign. The account's type decides what it means for a liability. */
  amountMinor: number;
  availableMinor: number | null;
  /** The day of the balance, if the provider reports it. */
  date: CalendarDate | null;
  /** The same as a moment, if it is reported as one. */
  moment?: WrittenMoment;
}

/** A moment as the provider writes it. Ingest reads the person's day from it. */
export interface WrittenMoment {
  unixSeconds: number;
  /** Whether it is exactly noon or midnight as it is written, by which many feeds mean a day. */
  isWhole: boolean;
}

export interface SnapshotTransaction {
  /** Unique within its account only. */
  externalId: string;
  /** Posted: the posting day. Pending: the day it was made. Of a moment, the day that is written: of Unix seconds that in UTC. */
  date: CalendarDate;
  /** The moment that the provider gives in place of a day. */
  moment?: WrittenMoment;
  /** Set by ingest: the day under which it may be stored by another reading of its moment. */
  otherDate?: CalendarDate;
  /** There is no date, or it has not begun, and this is the day of the request. A stored date takes precedence. */
  dateIsGuess?: true;
  /** Holder's view: positive = into the account. In the minor unit of `currency`. */
  amountMinor: number;
  /** ISO 4217 code. It may differ from the account's, and is never counted 1:1. */
  currency: string;
  description: string;
  merchant: string | null;
  pending: boolean;
  /** Of a posted one: the id that it had while pending, where the vendor says so. */
  pendingId?: string;
}

/** `unavailable`: this account has none. `unknown`: not reported this time. */
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
  /** Price of one unit in `currency`, decimal text; `null`: neither reported nor computable. */
  price: string | null;
  valueMinor: number;
  currency: string;
  /** Total cost of the position, or `null` where the provider's figure is ambiguous. */
  costBasisMinor: number | null;
  /** A money-market fund or sweep: a holding that counts as cash. */
  cashEquivalent: boolean;
}

export interface RequestLimit {
  perDay: number;
  /** How many of them a usual sync of known accounts takes. */
  perSync: number;
}

/** Counts the requests of a connection against its limit. */
export interface RequestBudget {
  /**
   * Counts one request, before it is sent.
   *
   * @throws ProviderError of kind `rate_limited` when none is left
   */
  spend(): Promise<void>;
}

/** For a provider that publishes no limit. */
export const UNLIMITED: RequestBudget = { spend: () => Promise.resolve() };
