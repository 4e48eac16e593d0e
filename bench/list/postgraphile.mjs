import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';

const [url] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 20 });
const server = createServer(
  postgraphile(pool, 'public', { disableQueryLog: true, legacyRelations: 'omit', simpleCollections: 'omit' }),
);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
