import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from './account.entity.js';

/** Posted transactions of an account in a currency that is not its own. */
interface ForeignCurrency {
  currency: string;
  transactions: number;
}

/** They are listed but excluded from the balance history: no exchange rate is known, and 1:1 is never assumed. */
export async function foreignCurrencies(
  em: EntityManager,
  { userId, id, currency }: Account,
): Promise<ForeignCurrency[]> {
  const { rows } = await sql<ForeignCurrency>`
    select currency, count(*)::float8 as transactions from transactions
    where user_id = ${userId} and account_id = ${id} and not pending and currency <> ${currency}
    group by currency order by currency
  `.execute(em.getKysely());
  return rows;
}

/** Other currencies than the account's among the newest holdings, money-market funds excluded. */
export async function foreignHoldings(em: EntityManager, { userId, id, currency }: Account): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    select distinct currency from holdings h
    where user_id = ${userId} and account_id = ${id} and not cash_equivalent and currency <> ${currency}
      and observed_at = (
        select max(observed_at) from observations o
        where o.user_id = h.user_id and o.account_id = h.account_id and o.has_holdings
      )
    order by currency
  `.execute(em.getKysely());
  return rows.map((row) => row.currency);
}

/** @param accountCurrency the currency in which their value is unknown */
export function foreignHoldingsText(currency: string, accountCurrency: string): string {
  return `What is held in ${currency} counts as cash, since no rate in ${accountCurrency} is known.`;
}

/** @param accountCurrency the currency of the history that excludes them */
export function foreignCurrencyText({ currency, transactions }: ForeignCurrency, accountCurrency: string): string {
  const what =
    transactions === 1 ? `1 transaction in ${currency} is` : `${transactions} transactions in ${currency} are`;
  return `${what} left out of the balance history, since no rate in ${accountCurrency} is known.`;
}
