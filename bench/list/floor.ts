import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { hashApiKey } from '../../src/auth/api-key.js';
import { type ShownAccount, toBalanceRow } from '../../src/balances/record/balance-record.js';
import { RANGE_OF_ALL } from '../../src/balances/record/balances.repository.js';
import { toBalanceResponse } from '../../src/balances/record/balance.response.js';

// The least that could answer the same bytes: bare node:http, the service's own statement planned once, the same text of
// a record and the same mapper. Accounts and total are known beforehand, the only page is the first, and the key is held
// against one that it knows.

const [url, key, userId, total] = process.argv.slice(2);
const known = hashApiKey(key!);
const pool = new pg.Pool({
  connectionString: url!,
  max: 10,
  // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it, its types do not say so
  onConnect: (session: pg.ClientBase) => session.query('set plan_cache_mode = force_generic_plan'),
});
const found = await pool.query<ShownAccount & { id: string }>(
  'select id, name as account_name, account_type from accounts where user_id = $1',
  [userId],
);
const accounts = new Map(found.rows.map(({ id, ...shown }) => [id, shown]));
const range = await pool.query<{ newest: number }>(
  "select max(last_date) - date '1970-01-01' as newest from balance_spans where user_id = $1",
  [userId],
);
const newest = range.rows[0]!.newest;

const server = createServer((request, response) => {
  void (async () => {
    if (!hashApiKey(String(request.headers['x-api-key'])).equals(known)) return response.writeHead(401).end();
    const perPage = Number(new URLSearchParams(request.url!.split('?')[1]).get('per_page'));
    const oldest = newest - Math.ceil(perPage / accounts.size) + 1;
    const { rows } = await pool.query<{ record: string }>({
      ...RANGE_OF_ALL,
      values: [userId, oldest, newest, 0, perPage],
    });
    const balances = rows.map(({ record }) => toBalanceResponse(toBalanceRow(record, (id) => accounts.get(id)!)));
    const pagination = {
      page: 1,
      per_page: perPage,
      total_count: Number(total),
      total_pages: Math.ceil(Number(total) / perPage),
    };
    const body = JSON.stringify({ balances, pagination });
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    });
    return response.end(body);
  })();
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
