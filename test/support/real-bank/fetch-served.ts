import type { BalanceCollection, BalanceResponse } from '../../../src/balances/record/balance.response.js';

const ACCOUNT_NAME = /^Account (.+)$/;

/** Every balance record that the API serves, page by page, as `account/date` with its end balance. */
export async function fetchServedBalances(url: string, key: string): Promise<Map<string, number>> {
  const served = new Map<string, number>();
  for (let page = 1; ; page++) {
    const response = await fetch(`${url}/api/v1/balances?per_page=100&page=${page}`, { headers: { 'X-Api-Key': key } });
    if (!response.ok) throw new Error(`page ${page} answered ${response.status}`);
    const { balances, pagination } = (await response.json()) as BalanceCollection;
    for (const row of balances) served.set(keyOf(row), row.end_balance_cents);
    if (page >= pagination.total_pages) return served;
  }
}

function keyOf({ account, date }: BalanceResponse): string {
  return `${ACCOUNT_NAME.exec(account.name)?.[1]}/${date}`;
}
