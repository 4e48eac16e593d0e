import { Injectable } from '@nestjs/common';
import { PreparedStatements } from '../../database/prepared.js';

/** What one account contributed to net worth in minor units: assets are positive, liabilities negative. */
export interface AccountSamples {
  accountId: string;
  /** On evenly spaced days of its newest history, ascending, the last one included. */
  values: readonly number[];
}

/** The values are JSON, which is read much faster than an array. */
const SAMPLES = {
  name: 'account-samples',
  text: `
    select newest.account_id as "accountId", coalesce(sampled.amounts, '[]') as values
    from (
      select distinct on (s.account_id) s.account_id, s.currency, array(
        select s.last_date - point * greatest(1, ceil((s.last_date - s.first_date) / ($2::int - 1.0))::int)
        from generate_series(0, $2::int - 1) point
      ) as days
      from balance_spans s where s.user_id = $1 order by s.account_id, s.last_date desc
    ) newest
    cross join lateral (
      select json_agg((b.end_cash + b.end_non_cash) * b.flows_factor order by b.date) as amounts from balances b
      where b.user_id = $1 and b.account_id = newest.account_id and b.currency = newest.currency
        and b.date = any(newest.days)
    ) sampled`,
};

/** Reads a few days of every account: a small chart needs no more points than pixels. */
@Injectable()
export class AccountSamplesRepository {
  constructor(private readonly prepared: PreparedStatements) {}

  /** Every account with a record. @param maxPoints of each, at least 2 */
  read(userId: string, maxPoints: number): Promise<AccountSamples[]> {
    return this.prepared.query<AccountSamples>(SAMPLES, [userId, maxPoints]);
  }
}
