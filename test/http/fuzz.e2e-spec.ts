import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { Contract } from '../support/contract.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import {
  type Existing,
  malformedRequests,
  pageRequests,
  type PageSession,
  type Route,
  type WireRequest,
  wireRequests,
} from '../support/fuzz-requests.js';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.js';
import { tenthInQuickRun, TIER } from '../support/tier.js';
import { Visitor } from '../../src/kit/visitor.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? (TIER === 'test' ? 100 : 3_000));
/** The same requests in every run of the tests; `npm run fuzz` sends new ones, `FUZZ_SEED=1` those of a seed. */
const { FUZZ_SEED = fc.readConfigureGlobal().seed } = process.env;
const SEED = FUZZ_SEED === 'random' ? Date.now() : Number(FUZZ_SEED);
/** Pages cost more than answers of the API. */
const PAGE_REQUESTS = Math.ceil(REQUESTS / 4);
/** Exports are refused beyond five at once, and rightly so. */
const AT_ONCE = 3;
/** Far beyond what a busy machine takes: an answer that never comes. */
const PATIENCE_MS = 120_000;

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  ...{ gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync },
};

interface RouterLayer {
  route?: { path: string; methods: Record<string, boolean> };
}

describe('random requests', () => {
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

  /** Sends a request as it is: `fetch` would put its path right. Any 5xx fails. */
  async function send({
    method,
    path,
    headers,
    body,
  }: WireRequest): Promise<{ answer: IncomingMessage; text: string }> {
    const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sending = httpRequest(tidemark.url, { method, path, headers: { ...headers, ...length }, agent }, resolve);
      sending.setTimeout(PATIENCE_MS, () => sending.destroy(new Error(`${method} ${path}: no answer`)));
      sending.on('error', reject).end(body ?? undefined);
    });
    const chunks: Buffer[] = [];
    // Events go on until the client leaves.
    if (answer.headers['content-type']?.startsWith('text/event-stream')) answer.destroy();
    else for await (const chunk of answer) chunks.push(chunk as Buffer);
    const decode = DECODERS[answer.headers['content-encoding'] ?? ''] ?? ((bytes) => bytes);
    const text = method === 'HEAD' ? '' : decode(Buffer.concat(chunks)).toString();
    if ((answer.statusCode ?? 0) >= 500) throw new Error(`${answer.statusCode}: ${text}`);
    return { answer, text };
  }

  /** The answer is held against the document. */
  async function ask(request: WireRequest): Promise<void> {
    const { answer, text } = await send(request);
    const isJson = /^application\/(problem\+)?json/.test(answer.headers['content-type'] ?? '') && text !== '';
    contract.check(request.method, request.path.split('?')[0]!.toLowerCase(), {
      status: answer.statusCode ?? 0,
      headers: new Headers(
        Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      ),
      body: isJson ? JSON.parse(text) : text,
    });
  }

  /** Every route that is served, as Express knows it, but those that end the session. */
  function servedRoutes(): Route[] {
    const { router } = tidemark.app.getHttpAdapter().getInstance() as unknown as { router: { stack: RouterLayer[] } };
    return router.stack
      .flatMap(({ route }) => (route && !route.methods.trace ? [route] : []))
      .filter(({ path }) => !/^\/(docs|openapi|sign-out)/.test(path))
      .flatMap(({ path, methods }) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })));
  }

  async function sessionOf(visitor: Visitor): Promise<PageSession> {
    const [user]: { email: string }[] = await tidemark.em().execute('select email from users');
    await visitor.post('/sign-in', { email: user!.email, password: 'correct horse' });
    const formToken = /name="form_token" value="([^"]+)"/.exec((await visitor.get('/')).html)?.[1] ?? '';
    return { cookie: `tidemark=${visitor.cookie('tidemark')}`, formToken };
  }

  it('requests with values that cannot be stored or resolved are answered without any 5xx', async () => {
    const requests = malformedRequests(servedRoutes(), existing, await sessionOf(new Visitor(tidemark.url)));
    expect(requests.length).toBeGreaterThan(200);
    const failed: string[] = [];
    for (const request of tenthInQuickRun(requests)) {
      await send(request).catch((error: unknown) => failed.push(`${request.method} ${request.path}: ${String(error)}`));
    }
    expect(failed).toEqual([]);
  }, 600_000);

  it(`${REQUESTS} random requests of the API are answered as documented, without any 5xx (FUZZ_SEED=${SEED})`, async () => {
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

  it(`${PAGE_REQUESTS} random requests of the pages are answered without any 5xx (FUZZ_SEED=${SEED})`, async () => {
    const visitor = new Visitor(tidemark.url);
    const session = await sessionOf(visitor);
    const routes = servedRoutes().filter(({ path }) => !/^\/(api|health|metrics)/.test(path));
    expect(routes.length).toBeGreaterThan(20);
    const requests = fc.array(pageRequests(routes, session, existing), { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(requests, async (batch) => {
        await Promise.all(batch.map(send));
      }),
      { numRuns: Math.ceil(PAGE_REQUESTS / AT_ONCE), seed: SEED },
    );
    expect((await visitor.get('/')).status).toBe(200);
  }, 1_800_000);
});
