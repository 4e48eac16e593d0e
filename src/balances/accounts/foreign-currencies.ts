import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from './account.entity.js';
import type { Holding } from '../holdings/holding.entity.js';
import type { BalanceReport } from './balance-report.entity.js';
import { IS_RELABELLED } from './load-ledger.js';
import type { Transaction } from '../transactions/transaction.entity.js';

type Tables = InferClassEntityDB<typeof Transaction | typeof Holding | typeof BalanceReport>;

/** Posted transactions of an account in a currency that is not its own. */
interface ForeignCurrency {
  currency: string;
  transactions: number;
}

/**
 * They are listed but excluded from the balance history: a history is in the currency of its account, and nothing in it is exchanged. Raw for the
 * condition shared with the ledger.
 */
export async function foreignCurrencies(
  em: EntityManager,
  { userId, id, currency }: Account,
): Promise<ForeignCurrency[]> {
  if (currency === null) return [];
  const found = await em
    .getKysely<Tables>()
    .selectFrom('transactions as t')
    .select(({ fn }) => ['currency', fn.countAll<string>().as('transactions')])
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where('pending', '=', false)
    .where('currency', '<>', currency)
    .where(
      sql<boolean>`not exists (
      select 1 from transaction_versions v where v.currency = ${currency} and ${IS_RELABELLED}
    )`,
    )
    .groupBy('currency')
    .orderBy('currency')
    .execute();
  return found.map((each) => ({ currency: each.currency, transactions: Number(each.transactions) }));
}

/** Other currencies than the account's among the newest holdings, money-market funds excluded. */
export async function foreignHoldings(em: EntityManager, { userId, id, currency }: Account): Promise<string[]> {
  if (currency === null) return [];
  const found = await em
    .getKysely<Tables>()
    .selectFrom('holdings')
    .select('currency')
    .distinct()
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where('cash_equivalent', '=', false)
    .where('currency', '<>', currency)
    .where('report_number', '=', (eb) =>
      eb
        .selectFrom('observations')
        .select('number')
        .where('user_id', '=', userId)
        .where('account_id', '=', id)
        .where('has_holdings', '=', true)
        .orderBy('observed_at', 'desc')
        .limit(1),
    )
    .orderBy('currency')
    .execute();
  return found.map((each) => each.currency);
}

/** @param accountCurrency the currency in which their value is unknown */
export function foreignHoldingsText(currency: string, accountCurrency: string): string {
  return `Holdings in ${currency} count as cash: this history is in ${accountCurrency}, and nothing in it is exchanged.`;
}

/** @param accountCurrency the currency of the history that excludes them */
export function foreignCurrencyText({ currency, transactions }: ForeignCurrency, accountCurrency: string): string {
  const [what, them] =
    transactions === 1
      ? [`1 ${currency} transaction is`, 'it']
      : [`${transactions} ${currency} transactions are`, 'them'];
  return `${what} listed but not counted: this history is in ${accountCurrency}, and nothing in it is exchanged. The bank's balance includes ${them}.`;
}
