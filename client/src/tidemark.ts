import { errorOf } from './errors.js';
import { type LastAnswer, type RetryOptions, withRetries } from './retry.js';
import type { Answer, Arguments, CallOptions, ListPath, Parts, PathsOf, RecordOf, RecordsPath } from './routes.js';

export { TidemarkError } from './errors.js';
export type { RetryOptions } from './retry.js';
export type { Schemas } from './routes.js';
export type { operations, paths } from './document.js';

export interface TidemarkOptions extends RetryOptions {
  /** Where the service is, `https://money.example`; a path before `/api` is kept. */
  url: string;
  apiKey: string;
  /** Limit of one attempt. Default 30,000. */
  timeoutMs?: number;
  fetch?: typeof fetch;
}

/** The parts of a request whose types the caller has checked. */
interface AnyParts extends CallOptions {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

type ChangesQuery = NonNullable<Parts<'/api/v1/changes', 'get'>['query']>;

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_PER_PAGE = 100;
/** The lists with cursors, and the parameters with which they have none. */
const CURSOR_LISTS: Partial<Record<string, readonly string[]>> = {
  '/api/v1/balances': ['page', 'as_of', 'updated_since'],
  '/api/v1/transactions': ['page'],
};

/** The Tidemark API: each route by its path, typed by the OpenAPI document. Every refusal is a {@link TidemarkError}. */
export class Tidemark {
  readonly #options: TidemarkOptions;

  constructor(options: TidemarkOptions) {
    if (!/^https?:\/\//.test(options.url) || !URL.canParse(options.url))
      throw new TypeError(`url must be an address such as https://money.example, not "${options.url}".`);
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') };
  }

  get<P extends PathsOf<'get'>>(path: P, ...[parts]: Arguments<Parts<P, 'get'>>): Promise<Answer<P, 'get'>> {
    return this.#json('GET', path, parts);
  }

  post<P extends PathsOf<'post'>>(path: P, ...[parts]: Arguments<Parts<P, 'post'>>): Promise<Answer<P, 'post'>> {
    return this.#json('POST', path, parts);
  }

  put<P extends PathsOf<'put'>>(path: P, ...[parts]: Arguments<Parts<P, 'put'>>): Promise<Answer<P, 'put'>> {
    return this.#json('PUT', path, parts);
  }

  patch<P extends PathsOf<'patch'>>(path: P, ...[parts]: Arguments<Parts<P, 'patch'>>): Promise<Answer<P, 'patch'>> {
    return this.#json('PATCH', path, parts);
  }

  delete<P extends PathsOf<'delete'>>(
    path: P,
    ...[parts]: Arguments<Parts<P, 'delete'>>
  ): Promise<Answer<P, 'delete'>> {
    return this.#json('DELETE', path, parts);
  }

  /**
   * The pages of a list, from the one asked for on. Where the list has cursors, they are used: what is written meanwhile
   * moves no page, but a record whose own date changes may be missing or come twice. Lists from a `page` on, and balances
   * with `as_of` or `updated_since`, are read by numbers. For a copy read the {@link changes}.
   */
  async *pages<P extends ListPath>(
    path: P,
    ...[parts]: Arguments<Parts<P, 'get'>>
  ): AsyncGenerator<Answer<P, 'get'>, void, undefined> {
    const given = (parts ?? {}) as AnyParts;
    const isNumbered = CURSOR_LISTS[path]?.some((name) => (given.query?.[name] ?? null) !== null) ?? true;
    if (!isNumbered) return yield* this.#readByCursor(path, given);
    const first = Number(given.query?.page ?? 1);
    for (let page = first, pages = page; page <= pages; page++) {
      const query = { per_page: MAX_PER_PAGE, ...given.query, page };
      const answer = await this.#json<Answer<P, 'get'>>('GET', path, { ...given, query });
      yield answer;
      pages = (answer as { pagination: { total_pages: number } }).pagination.total_pages;
    }
  }

  /** The records of a list, on all of its pages. */
  async *each<P extends RecordsPath>(
    path: P,
    ...parts: Arguments<Parts<P, 'get'>>
  ): AsyncGenerator<RecordOf<P>, void, undefined> {
    const name = path.split('/').at(-1)!;
    for await (const page of this.pages(path, ...parts)) yield* (page as Record<string, RecordOf<P>[]>)[name]!;
  }

  /**
   * What has changed since a cursor, or everything without one, answer by answer until the copy is complete. Store each
   * `cursor` together with its changes. A {@link TidemarkError} `cursor_expired` means: begin with an empty copy.
   */
  async *changes(
    { cursor: start, ...query }: ChangesQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<Answer<'/api/v1/changes', 'get'>, void, undefined> {
    for (let cursor = start, hasMore = true; hasMore;) {
      const answer = await this.get('/api/v1/changes', { ...options, query: { ...query, ...(cursor && { cursor }) } });
      yield answer;
      ({ cursor, has_more: hasMore } = answer);
    }
  }

  async *#readByCursor<Page>(path: string, given: AnyParts): AsyncGenerator<Page, void, undefined> {
    for (let cursor: unknown = given.query?.cursor ?? 'first'; cursor;) {
      const query = { per_page: MAX_PER_PAGE, ...given.query, cursor };
      const answer = await this.#json<Page>('GET', path, { ...given, query });
      yield answer;
      cursor = (answer as { next_cursor?: string | null }).next_cursor;
    }
  }

  async #json<Body>(method: string, path: string, parts: unknown): Promise<Body> {
    const answer = await this.#send(method, path, parts ?? {});
    const { status, text, mayBeDone } = answer;
    if (method === 'DELETE' && status === 404 && mayBeDone) return undefined as Body;
    if (status < 200 || status > 299) throw errorOf(answer);
    return (status === 204 ? undefined : JSON.parse(text)) as Body;
  }

  #send(method: string, path: string, parts: AnyParts): Promise<LastAnswer> {
    const { apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, fetch: send = fetch } = this.#options;
    const url = this.#options.url + filled(path, parts.path ?? {}) + queryText(parts.query ?? {});
    const headers = new Headers({ Accept: 'application/json', ...parts.headers, 'X-Api-Key': apiKey });
    if (method === 'POST' || method === 'PUT')
      headers.set('Idempotency-Key', parts.idempotencyKey ?? crypto.randomUUID());
    // The service redirects no request of a program, and a redirect could take the key elsewhere.
    const init: RequestInit = { method, headers, redirect: 'manual' };
    // `fetch` itself names the type of a form, with its boundary.
    if (parts.body instanceof FormData) init.body = parts.body;
    else if (parts.body !== undefined) {
      headers.set('Content-Type', 'application/json');
      init.body = JSON.stringify(parts.body);
    }
    const attempt = () =>
      withinTime(timeoutMs, parts.signal, async (signal) => {
        const response = await send(url, { ...init, signal });
        return { status: response.status, headers: response.headers, text: await response.text() };
      }).catch((error: unknown) => {
        // What `fetch` throws does not say where it failed. The query may have private words.
        if ((error as Error | undefined)?.name !== 'TypeError') throw error;
        throw new TypeError(`${url.split('?')[0]} could not be reached.`, { cause: error });
      });
    return withRetries(attempt, this.#options, parts.signal);
  }
}

function filled(path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    // They would name another path.
    if (['', '.', '..'].includes(value)) throw new TypeError(`${name} is missing or no id.`);
    return encodeURIComponent(value);
  });
}

function queryText(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/**
 * Aborts work with the caller's signal or after the limit. Not with `AbortSignal.any`: Node.js 20 may collect a timeout
 * that only another signal refers to, which then never fires.
 */
async function withinTime<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timedOut = () => controller.abort(new DOMException('The service did not answer in time.', 'TimeoutError'));
  const timer = setTimeout(timedOut, timeoutMs);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
