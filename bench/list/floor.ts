import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { hashApiKey } from '../../src/auth/api-key.js';
import { toBalanceResponse, type BalanceRow } from '../../src/balances/record/to-balance-response.js';
import { BALANCE_COLUMNS_SQL } from './columns.js';

// The least that could answer the same: no framework, a prepared statement, the total known beforehand, and only the
// first page, which is the cheapest. It checks the key against one it knows.

const [url, key, userId, total] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url!, max: 20 });
const known = hashApiKey(key!);
const text = `select ${BALANCE_COLUMNS_SQL} from balances b join accounts a on a.user_id = b.user_id and a.id = b.account_id
  where b.user_id = $1 order by b.date desc, b.account_id limit $2`;

const server = createServer((request, response) => {
  void (async () => {
    if (!hashApiKey(String(request.headers['x-api-key'])).equals(known)) return response.writeHead(401).end();
    const perPage = Number(new URLSearchParams(request.url!.split('?')[1]).get('per_page'));
    const { rows } = await pool.query<BalanceRow>({ name: 'page', text, values: [userId, perPage] });
    const pagination = {
      page: 1,
      per_page: perPage,
      total_count: Number(total),
      total_pages: Math.ceil(Number(total) / perPage),
    };
    const body = JSON.stringify({ balances: rows.map(toBalanceResponse), pagination });
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
