import pg from 'pg';
import {
  type BalanceCollection,
  type ShownAccount,
  toBalanceResponse,
  toBalanceRow,
} from '../../src/balances/record/balance.response.js';
import { RANGE_OF_ALL } from '../../src/balances/record/balances.repository.js';

const SESSIONS = 10;

/**
 * The first page of a person's balances for the least that it can cost: the service's own statement planned once, the same
 * text of a record and the same mapper. Accounts and total are known beforehand.
 */
export class FirstPage {
  private constructor(
    private readonly pool: pg.Pool,
    private readonly userId: string,
    private readonly accounts: ReadonlyMap<string, ShownAccount>,
    private readonly newest: number,
    private readonly total: number,
  ) {}

  static async of(url: string, userId: string): Promise<FirstPage> {
    const pool = new pg.Pool({
      connectionString: url,
      max: SESSIONS,
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it, its types do not say so
      onConnect: (session: pg.ClientBase) => session.query('set plan_cache_mode = force_generic_plan'),
    });
    const accounts = await pool.query<ShownAccount & { id: string }>(
      'select id, name as account_name, account_type from accounts where user_id = $1',
      [userId],
    );
    const spans = await pool.query<{ newest: number; total: number }>(
      `select max(last_date) - date '1970-01-01' as newest, sum(last_date - first_date + 1)::float8 as total
       from balance_spans where user_id = $1`,
      [userId],
    );
    const { newest, total } = spans.rows[0]!;
    const shown = new Map(accounts.rows.map(({ id, ...account }) => [id, account]));
    return new FirstPage(pool, userId, shown, newest, total);
  }

  async read(perPage: number): Promise<BalanceCollection> {
    const oldest = this.newest - Math.ceil(perPage / this.accounts.size) + 1;
    const { rows } = await this.pool.query<{ record: string }>({
      ...RANGE_OF_ALL,
      values: [this.userId, oldest, this.newest, 0, perPage],
    });
    const balances = rows.map(({ record }) => toBalanceResponse(toBalanceRow(record, (id) => this.accounts.get(id)!)));
    const total_pages = Math.ceil(this.total / perPage);
    return { balances, pagination: { page: 1, per_page: perPage, total_count: this.total, total_pages } };
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
