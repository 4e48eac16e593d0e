import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

// The least that could hand out the same records: PostgreSQL writes the CSV, Node only passes it on. Nothing is
// formatted and no key is checked.

const [url, statement] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 1 });

const server = createServer((_request, response) => {
  void pool.connect().then((session) => {
    response.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8' });
    const copy = session.query(copyTo(`copy (${statement}) to stdout with (format csv, header)`));
    pipeline(copy, response, (error) => session.release(error ?? undefined));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`));
