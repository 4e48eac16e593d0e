import { get, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { checkContract } from '../support/check-contract.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { HELD, holdAnswers } from '../support/held-answers.js';
import { holdingCursors } from '../support/open-cursors.js';
import { ASSETS } from '../../src/web/layout/asset-list.js';

const LARGE = '/api/v1/balances?per_page=100';
const SMALL = '/api/v1/balances?per_page=1';
/** More than one batch of a cursor. */
const MANY = 2_000;

describe('compression of responses', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const account = snapshotAccount({ balance: balance(5_000), transactions: [transaction('2025-12-01', 1_000)] });
    const { accountId } = await writeSnapshot(tidemark, connection, account);
    // Texts that hardly shrink, so that the compressor gives bytes before it has everything.
    await tidemark
      .em()
      .getConnection()
      .execute(
        `insert into transactions (user_id, account_id, external_id, date, amount_minor, currency, description, pending,
           first_seen_at)
         select ?, ?, 'many-' || i, date '2025-12-31' - i % 3000, i, 'EUR',
           (select string_agg(md5((i * 8 + part)::text), ' ') from generate_series(1, 8) part), false, now()
         from generate_series(1, ${MANY}) i`,
        [client.userId, accountId],
      );
  });
  afterAll(() => tidemark.stop());

  const start = (path: string, headers: Record<string, string>): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(tidemark.url + path, { headers: { 'X-Api-Key': client.key, ...headers } }, resolve).on('error', reject);
    });
  /** An answer as it comes over the wire: `fetch` would decompress it. */
  async function read(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, headers: { 'X-Api-Key': client.key, ...headers } };
      request(tidemark.url + path, options, resolve)
        .on('error', reject)
        .end();
    });
    const bytes = Buffer.concat(await answer.toArray());
    return { status: answer.statusCode!, headers: answer.headers, bytes };
  }

  it('a large response is compressed if the client allows it, with the same content', async () => {
    const plain = await read(LARGE);
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      undefined,
      expect.stringContaining('Accept-Encoding'),
    ]);
    for (const [encoding, decode] of Object.entries({ gzip: gunzipSync, br: brotliDecompressSync })) {
      const { headers, bytes } = await read(LARGE, { 'Accept-Encoding': encoding });
      expect([headers['content-encoding'], headers.vary]).toEqual([
        encoding,
        expect.stringMatching(/X-Api-Key.*Accept-Encoding/),
      ]);
      expect(decode(bytes).equals(plain.bytes)).toBe(true);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 5);
      const body: unknown = JSON.parse(decode(bytes).toString());
      const known = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
      await checkContract('GET', tidemark.url + LARGE, { status: 200, headers: new Headers(known), body });
    }
  });

  it('an asset is compressed, and browsers keep it for ever', async () => {
    const path = ASSETS.style.url;
    const plain = await read(path);
    for (const [encoding, decode] of Object.entries({ br: brotliDecompressSync, gzip: gunzipSync })) {
      const { headers, bytes } = await read(path, { 'Accept-Encoding': encoding });
      expect([headers['content-encoding'], headers['cache-control'], headers.vary]).toEqual([
        ...[encoding, expect.stringContaining('immutable'), expect.stringContaining('Accept-Encoding')],
      ]);
      expect(decode(bytes).equals(plain.bytes)).toBe(true);
    }
  });

  it.each([
    ['gzip, br', 'br'],
    ['gzip;q=1, br;q=0.1', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['GZIP ; q=0.5', 'gzip'],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0, br;q=0.0', undefined],
    ['identity', undefined],
  ])('with Accept-Encoding %j a large response is compressed as %j, static or not', async (accepted, encoding) => {
    for (const path of [LARGE, '/openapi.json', '/docs/swagger-ui.css', ASSETS.style.url]) {
      const { headers } = await read(path, { 'Accept-Encoding': accepted });
      expect([path, headers['content-encoding']]).toEqual([path, encoding]);
    }
  });

  it.each(['/docs/swagger-ui.css', '/docs/swagger-ui.js'])(
    'no response is both a range of the file %s and compressed',
    async (path) => {
      const { headers, bytes } = await read(path, { Range: 'bytes=0-9999', 'Accept-Encoding': 'gzip' });
      if (headers['content-range']) expect([headers['content-encoding'], bytes.length]).toEqual([undefined, 10_000]);
      else expect(gunzipSync(bytes).equals((await read(path)).bytes)).toBe(true);
    },
  );

  it.each([
    ['is small', SMALL, 'gzip'],
    ['is large, but gzip is refused', LARGE, 'gzip;q=0, identity'],
    ['is large, but only something unknown is allowed', LARGE, 'zstd-of-tomorrow'],
  ])('a response is not compressed if it %s', async (_, path, encoding) => {
    const { status, headers, bytes } = await read(path, { 'Accept-Encoding': encoding });
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    expect(JSON.parse(bytes.toString())).toHaveProperty('balances');
  });

  it('a compressed response has the same weak entity tag, and its 304 has the Vary header', async () => {
    const tags = [];
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { headers } = await read(LARGE, { 'Accept-Encoding': encoding });
      tags.push(headers.etag);
    }
    expect(tags[0]).toMatch(/^W\//);
    expect(new Set(tags).size).toBe(1);
    const again = await read(LARGE, { 'Accept-Encoding': 'gzip', 'If-None-Match': tags[0]! });
    expect([again.status, again.headers['content-encoding'], again.bytes.length]).toEqual([304, undefined, 0]);
    expect(again.headers.vary).toMatch(/X-Api-Key/);
    expect(again.headers.vary).toMatch(/Accept-Encoding/);
  });

  it('a HEAD request of a large response gets no body', async () => {
    const { status, headers, bytes } = await read(LARGE, { 'Accept-Encoding': 'gzip' }, 'HEAD');
    expect([status, bytes.length, headers.etag]).toEqual([200, 0, expect.stringMatching(/^W\//)]);
  });

  it('an export is compressed as it is read, at the pace of its client', async () => {
    const path = '/api/v1/transactions?currency=EUR';
    const headers = { Accept: 'text/csv', 'Accept-Encoding': 'gzip' };
    const letGo = holdAnswers(tidemark);
    const slow = await start(path, { ...headers, ...HELD });
    afterThisTest(() => slow.destroy());
    expect(slow.headers['content-encoding']).toBe('gzip');
    const slowCursor = await holdingCursors(tidemark, 1);
    const fast = gunzipSync((await read(path, headers)).bytes).toString();
    expect(fast.split('\r\n')).toHaveLength(MANY + 2);
    expect(await holdingCursors(tidemark, 1)).toEqual(slowCursor);
    letGo();
    const chunks = await slow.pipe(createGunzip()).toArray();
    expect(Buffer.concat(chunks as Buffer[]).toString() === fast).toBe(true);
  });
});
