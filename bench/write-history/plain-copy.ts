import type pg from 'pg';

const COLUMNS = `date, currency, flows_factor, has_cash, start_cash, start_non_cash, cash_inflows, cash_outflows,
  non_cash_inflows, non_cash_outflows, net_market_flows, cash_adjustments, non_cash_adjustments, end_cash, end_non_cash`;

/** The floor: the rows of some accounts into the same table once more, for other accounts, from a file that lies ready. */
export async function plainCopy(
  client: pg.Client,
  file: string,
  from: Owner,
  to: Owner,
): Promise<{ seconds: number; rows: number }> {
  const pairs = from.accountIds.map((id, index) => `('${id}'::uuid, '${to.accountIds[index]}'::uuid)`);
  await client.query(`
    copy (select '${to.userId}', pair.copied, ${COLUMNS} from balances
      join (values ${pairs.join(', ')}) as pair(account_id, copied) using (account_id)
      where user_id = '${from.userId}' order by account_id, date) to '${file}'`);
  const begun = performance.now();
  const { rowCount } = await client.query(`copy balances (user_id, account_id, ${COLUMNS}) from '${file}'`);
  return { seconds: (performance.now() - begun) / 1000, rows: rowCount ?? 0 };
}

export interface Owner {
  userId: string;
  accountIds: readonly string[];
}
