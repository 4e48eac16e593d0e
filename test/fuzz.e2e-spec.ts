import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp, type TestClient } from './app.js';
import { Contract } from './contract.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from './factories.js';
import { type Existing, type WireRequest, wireRequests } from './fuzz-requests.js';
import { type ScriptedServer, startScriptedServer } from './scripted-server.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3_000);
/** The same requests in every run of the tests; `npm run fuzz` sends new ones, `FUZZ_SEED=1` those of a seed. */
const { FUZZ_SEED = fc.readConfigureGlobal().seed } = process.env;
const SEED = FUZZ_SEED === 'random' ? Date.now() : Number(FUZZ_SEED);
/** Exports are refused beyond five at once, and rightly so. */
const AT_ONCE = 3;
/** Far beyond what a busy machine takes: an answer that never comes. */
const PATIENCE_MS = 120_000;

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  ...{ gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync },
};

describe('the running service', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let bank: ScriptedServer;
  let existing: Existing;
  let contract: Contract;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  beforeAll(async () => {
    bank = await startScriptedServer();
    bank.play({ body: { accounts: [] } });
    // Syncs are queued and not run: what they would do is none of this test's business.
    tidemark = await startTestApp({
      ...{ ROLE: 'api', GLOBALPROVIDER_BASE_URL: bank.url },
      ...LOCAL_PROVIDER,
    });
    client = await createClient(tidemark);
    existing = await stock();
    contract = new Contract((await client.get('/openapi.json')).body as OpenAPIObject);
  });
  afterAll(async () => {
    agent.destroy();
    await tidemark.stop();
    await bank.stop();
  });

  async function stock(): Promise<Existing> {
    const connection = await createConnection(tidemark, client.userId);
    const transactions = ['2026-02-20', '2026-03-10'].map((date) => transaction(date, -1_000));
    for (const currency of ['USD', 'JPY'])
      await writeSnapshot(tidemark, connection, snapshotAccount({ currency, balance: balance(5_000), transactions }));
    const idsOf = async (resource: string) =>
      (await client.get(`/api/v1/${resource}`)).body[resource].map(({ id }: { id: string }) => id) as string[];
    await client.post(`/api/v1/connections/${connection.id}/sync`);
    return {
      key: client.key,
      accounts: await idsOf('accounts'),
      balances: (await idsOf('balances')).slice(0, 3),
      connections: await idsOf('connections'),
      syncs: await idsOf('syncs'),
    };
  }

  /** Sends a request as it is: `fetch` would put its path right. The answer is held against the document. */
  async function ask({ method, path, headers, body }: WireRequest): Promise<void> {
    const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sending = httpRequest(tidemark.url, { method, path, headers: { ...headers, ...length }, agent }, resolve);
      sending.setTimeout(PATIENCE_MS, () => sending.destroy(new Error(`${method} ${path}: no answer`)));
      sending.on('error', reject).end(body ?? undefined);
    });
    const type = answer.headers['content-type'] ?? '';
    const chunks: Buffer[] = [];
    // Events go on until the client leaves.
    if (type.startsWith('text/event-stream')) answer.destroy();
    else for await (const chunk of answer) chunks.push(chunk as Buffer);
    const decode = DECODERS[answer.headers['content-encoding'] ?? ''] ?? ((bytes) => bytes);
    const text = method === 'HEAD' ? '' : decode(Buffer.concat(chunks)).toString();
    const status = answer.statusCode ?? 0;
    if (status >= 500) throw new Error(`${status}: ${text}`);
    const isJson = /^application\/(problem\+)?json/.test(type) && text !== '';
    contract.check(method, path.split('?')[0]!.toLowerCase(), {
      status,
      headers: new Headers(
        Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      ),
      body: isJson ? JSON.parse(text) : text,
    });
  }

  it(`answers ${REQUESTS} requests of all kinds as its document says, without any 5xx (FUZZ_SEED=${SEED})`, async () => {
    const templates = Object.keys((await client.get('/openapi.json')).body.paths as object);
    const requests = fc.array(wireRequests(templates, existing), { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(requests, async (batch) => {
        await Promise.all(batch.map(ask));
      }),
      { numRuns: Math.ceil(REQUESTS / AT_ONCE), seed: SEED },
    );
    expect((await client.get('/api/v1/me')).status).toBe(200);
  }, 1_800_000);
});
