import { minorDigits } from '../../src/platform/money/currency.js';
import { decimalText } from '../../src/platform/money/minor-units.js';
import type { HouseholdAccount, HouseholdConnection, HouseholdHolding, HouseholdTransaction } from '../household.js';

/** The US provider's answer to `/accounts`, as it is written in JSON: version 1 has `errors`, version 2 `errlist`. */
export interface AccountSet {
  errors?: string[];
  errlist?: WireError[];
  connections?: WireConnection[];
  accounts: WireAccount[];
}

interface WireError {
  code: string;
  msg: string;
  conn_id?: string;
  account_id?: string;
}

export interface WireConnection {
  conn_id: string;
  name: string;
  org_id: string;
  org_name: string;
  org_url: string;
  sfin_url: string;
}

export interface WireAccount {
  /** Version 1. */
  org?: WireOrganization;
  id: string;
  name: string;
  /** Version 2. */
  conn_id?: string;
  currency: string;
  balance: string;
  'available-balance'?: string;
  'balance-date': number;
  transactions: WireTransaction[];
  holdings: WireHolding[];
  extra?: Record<string, unknown>;
}

export interface WireOrganization {
  domain?: string;
  name?: string;
  'sfin-url': string;
  url?: string;
  id?: string;
}

export interface WireTransaction {
  id: string;
  posted: number;
  amount: string;
  description: string;
  payee: string;
  memo: string;
  transacted_at: number;
  mcc: string | null;
  pending?: true;
}

export interface WireHolding {
  id: string;
  created: number;
  currency: string;
  symbol: string;
  description: string;
  shares: string;
  market_value: string;
  cost_basis: string;
  purchase_price: string;
}

/** A notice of the server, in the form of the requested version. */
export interface Trouble {
  code: string;
  message: string;
  connectionId?: string;
  accountId?: string;
}

export function transactionBody(transaction: HouseholdTransaction, account: HouseholdAccount): WireTransaction {
  return {
    id: transaction.id,
    posted: transaction.posted ?? 0,
    amount: amount(transaction.amountMinor, account),
    description: transaction.description,
    payee: transaction.payee,
    memo: transaction.memo,
    transacted_at: transaction.transactedAt,
    mcc: transaction.mcc,
    ...(transaction.posted === null ? { pending: true } : {}),
  };
}

export function holdingBody(holding: HouseholdHolding, account: HouseholdAccount): WireHolding {
  return {
    id: holding.id,
    created: holding.firstSeenAt,
    currency: '',
    symbol: holding.symbol,
    description: holding.description,
    shares: holding.shares,
    market_value: amount(holding.valueMinor, account),
    cost_basis: amount(holding.costMinor, account),
    purchase_price: amount(holding.purchasePriceMinor, account),
  };
}

export function organization({ institution }: HouseholdConnection, root: string): WireOrganization {
  return {
    domain: institution.domain,
    name: institution.name,
    'sfin-url': root,
    url: institution.url,
    id: institution.id,
  };
}

export function connectionBody({ id, name, institution }: HouseholdConnection, root: string): WireConnection {
  return {
    conn_id: id,
    name,
    org_id: institution.id,
    org_name: institution.name,
    org_url: institution.url,
    sfin_url: root,
  };
}

export function wireError({ code, message, connectionId, accountId }: Trouble): WireError {
  return {
    code,
    msg: message,
    ...(connectionId === undefined ? {} : { conn_id: connectionId }),
    ...(accountId === undefined ? {} : { account_id: accountId }),
  };
}

/** An amount of an account's currency; a custom currency has no decimals. */
export function amount(minor: number, { currency }: HouseholdAccount): string {
  return decimalText(minor, minorDigits(currency) ?? 0);
}
