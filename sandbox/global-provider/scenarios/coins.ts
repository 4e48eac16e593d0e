import type { HouseholdAccount, Household, HouseholdTransaction } from '../../household.js';
import type { Scenario } from '../scenario.js';

interface Vault {
  name: string;
  currency: string;
  /** What an amount in cents becomes, so that a wallet holds what a person might. */
  factor: number;
}

const VAULTS: readonly Vault[] = [
  { name: 'Bitcoin wallet', currency: 'BTC', factor: 100 },
  { name: 'Ether wallet', currency: 'ETH', factor: 100 },
  { name: 'Gold', currency: 'XAU', factor: 1 },
];

/** Money that is no national currency. */
export const COINS: readonly Scenario[] = [
  {
    name: 'coins',
    plays: 'Three accounts, in bitcoin, ether and ounces of gold; nothing goes wrong.',
    household: inCoins,
  },
];

/** The first accounts as vaults, under ids of their own. */
function inCoins(household: Household): Household {
  const accounts = VAULTS.map((vault, index) => vaultOf(household.accounts[index]!, vault));
  return { ...household, accounts };
}

function vaultOf(account: HouseholdAccount, { name, currency, factor }: Vault): HouseholdAccount {
  return {
    ...account,
    id: `${currency}-${account.id}`,
    name,
    currency,
    openingMinor: Math.abs(account.openingMinor) * factor,
    availableMinor: null,
    transactions: account.transactions.map((transaction) => movement(transaction, factor)),
    holdings: [],
  };
}

function movement(transaction: HouseholdTransaction, factor: number): HouseholdTransaction {
  const amountMinor = transaction.amountMinor * factor;
  const what = amountMinor < 0 ? 'Sent' : 'Received';
  return { ...transaction, amountMinor, description: what.toUpperCase(), payee: what, memo: '', mcc: null };
}
