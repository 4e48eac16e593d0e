import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, send, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { checkContract } from '../support/check-contract.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { HELD, holdAnswers } from '../support/held-answers.js';
import { holdingCursors } from '../support/open-cursors.js';

const CSV = { Accept: 'text/csv' };
const NDJSON = { Accept: 'application/x-ndjson' };
/** More than one batch of a cursor. */
const MANY = 2_000;

/** RFC 4180, as a spreadsheet reads it. */
function parseCsv(text: string): Record<string, string>[] {
  const lines = [...text.matchAll(/((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*)\r\n/g)].map(
    ([, line]) =>
      [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
  );
  const [names = [], ...rows] = lines;
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ''])));
}

describe('lists as CSV and NDJSON', () => {
  let tidemark: TestApp;
  let letGo: () => void;
  let client: TestClient;
  let accountId: string;

  beforeAll(async () => {
    tidemark = await startTestApp({ IDLE_READER_TIMEOUT_MS: '600000' });
    letGo = holdAnswers(tidemark);
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const account = snapshotAccount({
      name: '=cmd()',
      balance: balance(-5_000),
      transactions: [
        transaction('2026-03-10', -123_456, { description: '@home, "the" shop', merchant: '+Shop' }),
        transaction('2026-03-12', 1_000, { description: 'two\nlines' }),
      ],
    });
    accountId = (await writeSnapshot(tidemark, connection, account)).accountId;
  });
  afterAll(() => tidemark.stop());

  it('a CSV export has the whole filtered list with every JSON field, and no formulas for spreadsheets', async () => {
    const answer = await client.get('/api/v1/balances?per_page=1&start_date=2026-03-11', CSV);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="balances.csv"');
    const rows = parseCsv(answer.body);
    const { balances } = (await client.get('/api/v1/balances?start_date=2026-03-11')).body;
    expect(rows).toEqual(
      balances.map(({ account, ...fields }: { account: Record<string, string> }) => ({
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
        account_id: account.id,
        account_name: "'=cmd()",
        account_type: account.account_type,
      })),
    );
    expect(rows[0]).toMatchObject({ balance: '-$50.00', balance_cents: '-5000' });
  });

  it('a CSV export quotes text of banks and neutralizes formulas in it', async () => {
    const rows = parseCsv((await client.get('/api/v1/transactions', CSV)).body);
    expect(rows).toMatchObject([
      { amount: '$10.00', description: 'two\nlines', merchant: '', pending: 'false' },
      { amount: '-$1,234.56', description: `'@home, "the" shop`, merchant: "'+Shop", account_name: "'=cmd()" },
    ]);
  });

  it('an NDJSON export has the same records as the list', async () => {
    for (const [resource, disposition] of [
      ['balances', 'attachment; filename="balances.ndjson"'],
      ['transactions', 'attachment; filename="transactions.ndjson"'],
    ]) {
      const answer = await client.get(`/api/v1/${resource}`, NDJSON);
      expect(answer.headers.get('content-disposition')).toBe(disposition);
      const records = String(answer.body)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(records).toEqual((await client.get(`/api/v1/${resource}`)).body[resource!]);
    }
  });

  it('an export of an empty list is a CSV header row, or nothing as NDJSON', async () => {
    const none = '/api/v1/transactions?currency=CHF';
    expect((await client.get(none, CSV)).body).toMatch(/^id,date,amount,[\w,]*\r\n$/);
    expect((await client.get(none, NDJSON)).body).toBe('');
  });

  it('a list has the supported media type that the client prefers', async () => {
    const type = async (Accept: string) =>
      (await client.get('/api/v1/balances', { Accept })).headers.get('content-type');
    expect(await type('*/*')).toMatch(/^application\/json/);
    expect(await type('text/csv;q=0.5, application/json;q=0.4')).toMatch(/^text\/csv/);
    const refused = await client.get('/api/v1/balances', { Accept: 'application/xml' });
    expect([refused.status, refused.body.error]).toEqual([406, 'not_acceptable']);
    expect(refused.body.message).toContain('text/csv');
  });

  it('an export supports conditional GET, and its entity tag differs from that of the JSON list', async () => {
    const path = '/api/v1/balances';
    const tag = (await client.get(path, CSV)).headers.get('etag')!;
    expect((await client.get(path, { ...CSV, 'If-None-Match': tag })).status).toBe(304);
    expect((await client.get(path, { 'If-None-Match': tag })).status).toBe(200);
  });

  describe('exports of very many records', () => {
    beforeAll(async () => {
      await tidemark
        .em()
        .getConnection()
        .execute(
          `insert into transactions (user_id, account_id, external_id, date, amount_minor, currency, description, pending,
           first_seen_at)
         select ?, ?, 'many-' || i, date '2025-12-31' - i % 3000, i, 'EUR', repeat('x', 100), false, now()
         from generate_series(1, ${MANY}) i`,
          [client.userId, accountId],
        );
    });

    const startAndNotRead = async (path: string): Promise<IncomingMessage> => {
      const url = tidemark.url + path;
      const answer = await new Promise<IncomingMessage>((resolve) => {
        get(url, { headers: { 'X-Api-Key': client.key, ...NDJSON, ...HELD } }, resolve);
      });
      downloads.push(answer);
      const headers = new Headers(answer.headers as Record<string, string>);
      await checkContract('GET', url, { status: answer.statusCode!, headers, body: '' });
      return answer;
    };
    const downloads: IncomingMessage[] = [];
    const cursors = (count: number) => holdingCursors(tidemark, count);

    // A download left open by a test that failed would take a place from the next one.
    afterEach(async () => {
      letGo();
      for (const download of downloads.splice(0)) download.destroy();
      await cursors(0);
    });

    it('an export waits for a slow client and keeps its cursor open after a faster client has finished', async () => {
      const slow = await startAndNotRead('/api/v1/transactions?currency=EUR');
      const slowCursor = await cursors(1);
      const fast = await client.get('/api/v1/transactions?currency=EUR', NDJSON);
      expect(String(fast.body).trimEnd().split('\n')).toHaveLength(MANY);
      expect(await cursors(1)).toEqual(slowCursor);
      letGo();
      let lines = 0;
      for await (const chunk of slow) lines += String(chunk).split('\n').length - 1;
      expect(lines).toBe(MANY);
      await cursors(0);
    });

    it('gives up its cursor when the client goes', async () => {
      const connection = new Promise<Socket>((resolve) =>
        tidemark.app.getHttpServer().once('request', ({ socket }: IncomingMessage) => resolve(socket)),
      );
      await startAndNotRead('/api/v1/transactions?currency=EUR');
      await cursors(1);
      // The service learns so that its client has gone.
      (await connection).destroy();
      await cursors(0);
    });

    it('a HEAD request of an export runs the query and keeps no cursor', async () => {
      const answer = await send(`${tidemark.url}/api/v1/transactions`, {
        method: 'HEAD',
        headers: { 'X-Api-Key': client.key, ...CSV },
      });
      expect(answer.status).toBe(200);
      await cursors(0);
    });
  });
});

describe('GET /api/v1/transactions?search=', () => {
  it('a search finds all words in description or merchant in either case, and takes % and _ literally', async () => {
    const tidemark = await startTestApp();
    afterThisTest(tidemark.stop);
    const client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const names = ['CITY WATER AUTOPAY', 'City Books', '100% Juice', '1000 Juices'];
    const transactions = names.map((description, i) =>
      transaction('2026-03-10', -i, { description, merchant: i === 1 ? 'Waterstones' : null }),
    );
    await writeSnapshot(tidemark, connection, snapshotAccount({ balance: balance(1), transactions }));
    const found = async (search: string) => {
      const { body } = await client.get(`/api/v1/transactions?search=${encodeURIComponent(search)}`);
      return body.transactions.map((row: { description: string }) => row.description).sort();
    };
    expect(await found('water city')).toEqual(['CITY WATER AUTOPAY', 'City Books']);
    expect(await found('0% j')).toEqual(['100% Juice']);
    expect(await found('a_u')).toEqual([]);
    expect((await client.get(`/api/v1/transactions?search=${'x'.repeat(101)}`)).status).toBe(422);
  });
});
