import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { hashApiKey } from '../../src/auth/api-key.js';
import {
  type BalanceCollection,
  type ShownAccount,
  toBalanceResponse,
  toBalanceRow,
} from '../../src/balances/record/balance.response.js';
import { RANGE_OF_ALL } from '../../src/balances/record/balances.repository.js';

// The least that could give the same answer: bare node:http, one key that it knows, the headers of the service as they
// were once. The only page is the first: the service's own statement planned once, the same text of a record and the same
// mapper. Accounts and total are known beforehand.

const SESSIONS = 10;

const [url, key, userId, headers] = process.argv.slice(2);
const known = hashApiKey(key!);
const always = JSON.parse(headers!) as Record<string, string>;
const pool = new pg.Pool({
  connectionString: url,
  max: SESSIONS,
  // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it, its types do not say so
  onConnect: (session: pg.ClientBase) => session.query('set plan_cache_mode = force_generic_plan'),
});
const stored = await pool.query<ShownAccount & { id: string }>(
  'select id, name as account_name, account_type from accounts where user_id = $1',
  [userId],
);
const accounts = new Map(stored.rows.map(({ id, ...account }) => [id, account]));
const spans = await pool.query<{ newest: number; total: number }>(
  `select max(last_date) - date '1970-01-01' as newest, sum(last_date - first_date + 1)::float8 as total
   from balance_spans where user_id = $1`,
  [userId],
);
const { newest, total } = spans.rows[0]!;

async function firstPage(perPage: number): Promise<BalanceCollection> {
  const oldest = newest - Math.ceil(perPage / accounts.size) + 1;
  const { rows } = await pool.query<{ record: string }>({
    ...RANGE_OF_ALL,
    values: [userId, oldest, newest, 0, perPage],
  });
  const balances = rows.map(({ record }) => toBalanceResponse(toBalanceRow(record, (id) => accounts.get(id)!)));
  const pagination = { page: 1, per_page: perPage, total_count: total, total_pages: Math.ceil(total / perPage) };
  return { balances, pagination };
}

const server = createServer((request, response) => {
  void (async () => {
    if (!hashApiKey(String(request.headers['x-api-key'])).equals(known)) return response.writeHead(401).end();
    const perPage = Number(new URLSearchParams(request.url!.split('?')[1]).get('per_page'));
    const body = JSON.stringify(await firstPage(perPage));
    response.writeHead(200, { ...always, 'Content-Length': Buffer.byteLength(body) });
    return response.end(body);
  })();
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
