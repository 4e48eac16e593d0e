import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashApiKey } from '../../src/auth/api-key.js';
import { FirstPage } from './first-page.js';

// The least that could give the same answer: bare node:http, one key that it knows, the headers of the service as they
// were once. The only page is the first.

const [url, key, userId, headers] = process.argv.slice(2);
const known = hashApiKey(key!);
const page = await FirstPage.of(url!, userId!);
const always = JSON.parse(headers!) as Record<string, string>;

const server = createServer((request, response) => {
  void (async () => {
    if (!hashApiKey(String(request.headers['x-api-key'])).equals(known)) return response.writeHead(401).end();
    const perPage = Number(new URLSearchParams(request.url!.split('?')[1]).get('per_page'));
    const body = JSON.stringify(await page.read(perPage));
    response.writeHead(200, { ...always, 'Content-Length': Buffer.byteLength(body) });
    return response.end(body);
  })();
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
