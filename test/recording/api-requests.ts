import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from '../../src/web/openapi/document-types.js';
import { AnswerWriter, type Recorded } from './answers.js';
import { Normalizer } from './normalize.js';
import type { Scene } from './scene.js';

const FORMATS: Record<string, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };
const UNKNOWN_ID = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

/**
 * What is requested of each GET route of the document, a line each: a query, with a format before it; `next`: the page
 * after the one before; `unchanged`: the same with its entity tag. Small pages keep the files short.
 */
const ROUTES: Record<string, string> = {
  '/api/v1/accounts': `
    ?per_page=100
    unchanged
    ?page=2&per_page=3
    ?page=99
    ?account_id={account}
    ?per_page=0
    ?unknown=1`,
  '/api/v1/accounts/{id}': '',
  '/api/v1/accounts/{id}/reconciliation': `
    ?per_page=5
    ?page=2&per_page=1
    unchanged
    csv ?per_page=5`,
  '/api/v1/accounts/{id}/statements': `
    ?per_page=5
    unchanged`,
  '/api/v1/accounts/{id}/values': '',
  '/api/v1/audit_events': `
    ?per_page=50
    ?page=2&per_page=3
    ?kind=connection_removed
    ?start_time=2026-03-12T00:00:00Z
    ?end_time=2026-03-12T00:00:00Z&per_page=2
    ?kind=unknown
    csv ?kind=connection_created
    ndjson ?kind=connection_created`,
  '/api/v1/balances': `
    ?per_page=4
    next
    unchanged
    ?cursor=first&per_page=2
    next
    ?sort=date&per_page=2
    ?currency=EUR&per_page=2
    ?currency=usd,jpy&per_page=2
    ?account_id={account}&per_page=3
    ?start_date=2026-03-14&end_date=2026-03-14&per_page=100
    ?as_of=2026-03-12T00:00:00Z&per_page=3
    ?as_of=2020-01-01T00:00:00Z
    ?account_id={unknown}
    ?start_date=2026-03-15&end_date=2026-03-01
    ?currency=euro
    ?cursor=wrong
    csv ?start_date=2026-03-14
    csv ?start_date=2026-03-10&account_id={account}&as_of=2026-03-12T00:00:00Z
    ndjson ?start_date=2026-03-15`,
  '/api/v1/balances/{id}': '',
  '/api/v1/balances/{id}/revisions': '',
  '/api/v1/changes': `
    ?limit=5
    next
    ?types=accounts,connections&limit=5
    ?cursor=wrong
    ?limit=0`,
  '/api/v1/connections': `

    unchanged
    ?per_page=1&page=2`,
  '/api/v1/connections/{id}': '',
  '/api/v1/holdings': `
    ?per_page=100
    unchanged
    ?page=2&per_page=2
    ?currency=EUR&per_page=3
    ?account_id={account}
    ?date=2026-03-11&per_page=3
    ?date=yesterday`,
  '/api/v1/imports': `

    unchanged
    ?account_id={account}`,
  '/api/v1/imports/{id}': '',
  '/api/v1/imports/{id}/rows': `

    ?standing=left_out`,
  '/api/v1/institutions': '?provider=us_provider',
  '/api/v1/me': '',
  '/api/v1/net_worth': `
    ?start_date=2026-03-11
    unchanged
    ?start_date=2026-03-13&currency=EUR
    ?start_date=2026-02-01&granularity=week
    ?start_date=2025-10-01&granularity=month&currency=USD
    ?start_date=2026-03-13&account_id={account}
    ?start_date=2026-03-13&in=EUR
    ?in=XXX
    ?granularity=year`,
  '/api/v1/net_worth/changes': `
    ?start_date=2026-03-11
    unchanged
    ?start_date=2026-03-13&end_date=2026-03-14&account_id={account}
    ?start_date=2026-03-15&end_date=2026-03-01`,
  '/api/v1/syncs': `
    ?per_page=3
    unchanged
    ?per_page=2&page=2
    ?connection_id={connection}&per_page=1
    ?status=failed
    ?status=odd`,
  '/api/v1/syncs/{id}': '',
  '/api/v1/syncs/{id}/events': '',
  '/api/v1/transactions': `
    ?per_page=4
    next
    unchanged
    ?cursor=first&per_page=2
    next
    ?sort=date&per_page=2
    ?pending=true
    ?pending=false&per_page=2
    ?search=rent&per_page=3
    ?currency=EUR&per_page=2
    ?account_id={account}&per_page=3
    ?start_date=2026-03-10&end_date=2026-03-11&per_page=10
    ?pending=maybe
    csv ?start_date=2026-03-12
    ndjson ?start_date=2026-03-14`,
  '/api/v1/transactions/{id}': '',
  '/api/v1/webhooks': '',
  '/api/v1/webhooks/{id}': '',
  '/api/v1/webhooks/{id}/deliveries': `
    ?per_page=3
    next
    ?status=failed`,
  '/health/live': '',
  '/health/ready': '',
  '/metrics': '',
};

/** What is left out, and why. */
const EXCEPTIONS: Record<string, string> = {
  '/api/v1/events': 'a stream without an end, which has events only while a sync runs',
};

/** Of a list, the ids by which its single records are requested, too. */
const LIST_OF: [RegExp, string][] = [
  [/^\/api\/v1\/accounts\/\{id\}$/, '/api/v1/accounts?per_page=100'],
  [/accounts\/\{id\}\/(reconciliation|statements|values)/, '/api/v1/accounts?per_page=100'],
  [/balances\/\{id\}/, '/api/v1/balances?per_page=100&start_date=2026-03-06&end_date=2026-03-06'],
  [/connections\/\{id\}/, '/api/v1/connections'],
  [/imports\/\{id\}/, '/api/v1/imports'],
  [/syncs\/\{id\}/, '/api/v1/syncs?per_page=2'],
  [/transactions\/\{id\}/, '/api/v1/transactions?per_page=1'],
  [/webhooks\/\{id\}/, '/api/v1/webhooks'],
];
/** Of how many of these records at most. */
const OF_RECORDS: Record<string, number> = {
  '/api/v1/accounts/{id}/reconciliation': 2,
  '/api/v1/accounts/{id}/statements': 2,
  '/api/v1/accounts/{id}/values': 2,
  '/api/v1/balances/{id}': 2,
};

/** Requests every GET route of the document; one file for each. @throws if the document has another */
export async function recordApi(scene: Scene, document: OpenAPIObject): Promise<Recorded> {
  const paths = operationsOf(document)
    .filter(({ method }) => method === 'get')
    .map(({ path }) => path);
  const forgotten = paths.filter((path) => !(path in ROUTES) && !(path in EXCEPTIONS));
  if (forgotten.length > 0)
    throw new Error(`test/recording/api-requests.ts requests nothing of ${forgotten.join(', ')}`);
  const gone = Object.keys(ROUTES).filter((path) => !paths.includes(path));
  if (gone.length > 0) throw new Error(`the document no longer has ${gone.join(', ')}: remove it from ROUTES`);
  const recorder = new ApiRecorder(scene);
  const files: Recorded = new Map([['api/usual-headers.txt', await recorder.usualHeaders()]]);
  for (const path of paths) if (!EXCEPTIONS[path]) files.set(fileOf(path), await recorder.route(path, ROUTES[path]!));
  files.set('api/refused.txt', await recorder.refusals());
  files.set('api/mcp.txt', await recorder.mcp());
  return files;
}

const fileOf = (path: string) =>
  `api/${path
    .replace(/^\/(api\/v1\/)?/, '')
    .replaceAll('/', '-')
    .replaceAll(/[{}]/g, '')}.txt`;

interface Requested {
  url: string;
  answer: Response;
  body: string;
}

class ApiRecorder {
  readonly #writer = new AnswerWriter();

  constructor(private readonly scene: Scene) {}

  async usualHeaders(): Promise<string> {
    const { headers } = await this.#get('/api/v1/me');
    return this.#writer.usual(headers);
  }

  async route(path: string, requests: string): Promise<string> {
    const normalizer = new Normalizer(this.scene.names);
    const sections: string[] = [];
    for (const url of await this.#pathsOf(path)) {
      let before: Requested = { url: '', answer: new Response(), body: '' };
      for (const line of requests.replace(/^\n/, '').split('\n')) {
        const [asked, headers] = this.#requestOf(line.trim(), url, before);
        const answer = await this.#get(asked, headers);
        const body = await answer.text();
        before = { url: asked, answer, body };
        const sent = Object.entries(headers).map(
          ([name, value]) => `${name}: ${name === 'If-None-Match' ? '<etag>' : value}`,
        );
        const shown = path === '/metrics' ? namesOfMetrics(body) : body;
        sections.push(this.#writer.write([`GET ${asked}`, ...sent].join('\n'), answer, shown, normalizer));
      }
    }
    return joined(sections);
  }

  async refusals(): Promise<string> {
    const normalizer = new Normalizer(this.scene.names);
    const requests: [what: string, path: string, headers: Record<string, string>][] = [
      ['without a key', '/api/v1/accounts', { 'X-Api-Key': '' }],
      ['with a wrong key', '/api/v1/accounts', { 'X-Api-Key': 'wrong' }],
      ['with a key that lacks the scope', '/api/v1/accounts', { 'X-Api-Key': this.scene.limited.key }],
      ['of an unknown id', `/api/v1/accounts/${UNKNOWN_ID}`, {}],
      ['of no id', '/api/v1/accounts/1', {}],
      ['of an unknown route', '/api/v1/unknown', {}],
      ['in another format', '/api/v1/accounts', { Accept: 'image/png' }],
    ];
    const sections: string[] = [];
    for (const [what, path, headers] of requests) {
      const answer = await this.#get(path, headers);
      sections.push(this.#writer.write(`GET ${path} ${what}`, answer, await answer.text(), normalizer));
    }
    return joined(sections);
  }

  async mcp(): Promise<string> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const answer = await fetch(`${this.scene.tidemark.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify(message),
      headers: {
        'X-Api-Key': this.scene.client.key,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
    });
    return this.#writer.write('POST /mcp tools/list', answer, await answer.text(), new Normalizer(this.scene.names));
  }

  #get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const all = { 'X-Api-Key': this.scene.client.key, ...headers };
    return fetch(this.scene.tidemark.url + path, { headers: all, redirect: 'manual' });
  }

  async #pathsOf(path: string): Promise<string[]> {
    const list = LIST_OF.find(([pattern]) => pattern.test(path))?.[1];
    if (!list) return [path];
    const records = Object.values((await (await this.#get(list)).json()) as object).find(Array.isArray) as {
      id: string;
    }[];
    return records.slice(0, OF_RECORDS[path]).map(({ id }) => path.replace('{id}', id));
  }

  #requestOf(line: string, url: string, before: Requested): [string, Record<string, string>] {
    if (line === 'next') return [nextOf(before), {}];
    if (line === 'unchanged') return [before.url, { 'If-None-Match': before.answer.headers.get('etag') ?? '' }];
    const [, format = '', query = ''] = /^(?:(\w+) )?(.*)$/.exec(line)!;
    const idOf = (name: string) => [...this.scene.names].find(([, one]) => one.startsWith(`<${name}`))![0];
    const filled = query
      .replace('{account}', () => idOf('account-renamed'))
      .replace('{connection}', () => idOf('connection-us-bank'))
      .replace('{unknown}', UNKNOWN_ID);
    return [url + filled, format ? { Accept: FORMATS[format]! } : {}];
  }
}

function nextOf({ url, answer, body }: Requested): string {
  const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  if (link) {
    const { pathname, search } = new URL(link);
    return pathname + search;
  }
  const cursor = /"(?:next_)?cursor":"([^"]+)"/.exec(body)?.[1];
  if (!cursor) throw new Error(`${url} has no next page`);
  return `${url.replace(/&cursor=.*/, '')}&cursor=${encodeURIComponent(cursor)}`;
}

const joined = (sections: readonly string[]) => sections.join(`\n${'-'.repeat(80)}\n`);

/** Without the values, which are those of this machine at this moment. */
function namesOfMetrics(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .join('\n');
}
