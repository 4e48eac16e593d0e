import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from './account.entity.js';

/** Booked transactions of an account in a currency that is not its own. */
export interface ForeignCurrency {
  currency: string;
  transactions: number;
}

/** They are shown, and no part of the history: no rate is known, and 1:1 is never one. */
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

/** @param accountCurrency the currency whose history they are no part of */
export function foreignCurrencyText({ currency, transactions }: ForeignCurrency, accountCurrency: string): string {
  const what =
    transactions === 1 ? `1 transaction in ${currency} is` : `${transactions} transactions in ${currency} are`;
  return `${what} left out of the balance history, since no rate in ${accountCurrency} is known.`;
}
