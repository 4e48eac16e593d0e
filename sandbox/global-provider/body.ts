/** What the global provider answers, as it is written in JSON. */

export interface WireAccountList {
  accounts: WireAccount[];
  total: number;
}

export interface WireAccount {
  id: number;
  connection_id: number;
  name: string;
  institution_name: string;
  institution_logo: string | null;
  /** The aggregator that reaches the institution. */
  provider: string;
  currency?: string;
  status?: string;
}

export interface WireBalance {
  balance: { amount: number; currency: string };
}

export interface WireTransactionList {
  transactions: WireTransaction[];
  total: number;
}

export interface WireTransaction {
  id: string | null;
  accountId: number;
  amount: number;
  currency: string;
  date: string;
  merchant: string | null;
  description: string;
  isPending: boolean;
}

export interface WireHoldingList {
  holdings: WireHolding[];
  totalValue: number;
  currency: string;
}

export interface WireHolding {
  security: WireSecurity;
  quantity: number;
  price: number;
  value: number;
  costBasis: number | null;
  currency: string;
  /** The aggregator's own record: the only place with an id. */
  raw: Record<string, { id: string }>;
}

interface WireSecurity {
  name: string;
  currency: string;
  tickerSymbol: string | null;
  figi: null;
  /** The protocol spells it like this. */
  cusp: null;
  isin: string | null;
}
