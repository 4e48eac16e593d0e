import fc from 'fast-check';

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string;
  /** With its query; may be malformed. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** What exists, so that requests are not all for nothing. */
export interface Existing {
  key: string;
  accounts: string[];
  balances: string[];
  connections: string[];
  syncs: string[];
}

const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

/** Once in so many times; else nothing. */
const sometimes = <T>(once: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof(weighted<T | undefined>(once - 1, fc.constant(undefined)), weighted<T | undefined>(1, arbitrary));

/** What strings of people and of attackers have in them, each against some naive program. */
const NASTY = [
  ...['', ' ', '\u0000', '\ud800', '𝒳', '\u202e', '../../..', "' or 1=1 --", '%00', '%', '_', '\\', '$1', '{}', '[]'],
  ...['null', 'NaN', '-1', '0', '1e309', '9007199254740993', '99999999999999999999', '__proto__', 'constructor'],
  ...['a'.repeat(5_000), '1'.repeat(400), '-'.repeat(300), '%25'.repeat(100), '\n', '\r\n', '<script>', '=1+1'],
];
const anyText = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary' }), fc.string());

const CURRENCIES = fc.oneof(fc.constantFrom('USD', 'usd', 'EUR', 'XXX', 'ZZZ', 'US', 'U$D'), anyText);
const DATES = fc.oneof(
  fc.constantFrom('2026-03-10', '2026-03-15', '0001-01-01', '9999-12-31', '2026-02-30', '-2026-01-01', '10000-01-01'),
  anyText,
);
const NUMBERS = fc.oneof(fc.nat(200).map(String), fc.double().map(String), anyText);

/** Every query parameter of the API, good and bad values of each. */
function queryValues(ids: fc.Arbitrary<string>): Record<string, fc.Arbitrary<string>> {
  return {
    ...{ page: NUMBERS, per_page: NUMBERS, account_id: ids, connection_id: ids, currency: CURRENCIES },
    ...{ start_date: DATES, end_date: DATES, date: DATES, search: anyText },
    pending: fc.oneof(fc.constantFrom('true', 'false'), anyText),
    purge: fc.oneof(fc.constantFrom('false', 'no'), anyText),
    granularity: fc.oneof(fc.constantFrom('day', 'week', 'month', 'year'), anyText),
    status: fc.oneof(fc.constantFrom('queued', 'failed', 'partial'), anyText),
  };
}

function query(ids: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const values = queryValues(ids);
  const parameter = fc
    .tuple(
      fc.constantFrom(...Object.keys(values)),
      fc.oneof(weighted(9, fc.constant('')), weighted(1, fc.constantFrom('[]', '[a]', '[a][b]', '[', '.x'))),
    )
    .chain(([name, suffix]) => values[name]!.map((value) => `${encode(name + suffix)}=${encode(value)}`));
  const malformed = fc.constantFrom('%', '&&', '=', '%E0%A4%A', 'page', 'a=%ZZ', '?', 'x'.repeat(3_000));
  return fc
    .array(fc.oneof(weighted(12, parameter), weighted(1, malformed)), { maxLength: 5 })
    .map((all) => all.join('&'));
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The document's own paths with ids of all kinds, and paths that are nearly theirs. */
function path(templates: string[], ids: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const served = fc
    .tuple(fc.constantFrom(...templates), ids)
    .map(([template, id]) => template.replace(/\{\w+\}/g, encode(id)));
  const distorted = fc
    .tuple(served, fc.constantFrom('/', '//', '/%2e%2e', '/..', '%', '%00', '/x', ';a=1', '/%E0%A4%A', '.json'))
    .map(([good, end]) => good + end);
  const upper = served.map((good) => good.toUpperCase());
  const foreign = anyText.map((text) => `/api/${encode(text)}`);
  return fc.oneof(weighted(20, served), weighted(2, distorted), weighted(1, upper), weighted(1, foreign));
}

const headerText = fc.oneof(
  fc.constantFrom('', '*', '0', '-1', 'a'.repeat(4_000), ',,,', ';q=', 'q=NaN', '"', 'W/"', '\u00ff\u00fe', '\t'),
  fc.string({ maxLength: 40 }).map((text) => text.replace(/[^\t\x20-\x7e]/g, '?')),
);

function headers(key: string): fc.Arbitrary<Record<string, string>> {
  const types = [
    'application/json',
    'text/csv',
    'application/x-ndjson',
    'application/problem+json',
    'text/event-stream',
  ];
  const accept = fc.oneof(
    fc.constantFrom(...types, '*/*', 'image/png', 'text/*;q=0.1, application/json;q=0', 'application/*', ','),
    headerText,
  );
  const rare = (values: fc.Arbitrary<string>) => sometimes(5, values);
  const scarce = (values: fc.Arbitrary<string>) => sometimes(20, values);
  return fc
    .record({
      'X-Api-Key': fc.oneof(weighted(20, fc.constant(key)), weighted(1, headerText)),
      Accept: sometimes(2, accept),
      'If-None-Match': rare(fc.oneof(fc.constantFrom('*', 'W/"x"', '"a", "b"'), headerText)),
      'Last-Event-ID': rare(fc.oneof(fc.nat().map(String), headerText)),
      'X-Request-Id': rare(headerText),
      'Accept-Encoding': rare(fc.oneof(fc.constantFrom('gzip', 'br', 'deflate', 'identity;q=0', 'zstd'), headerText)),
      'Content-Type': rare(fc.oneof(fc.constantFrom('text/plain', 'application/json; charset=latin1'), headerText)),
      'Content-Encoding': scarce(fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'nonsense')),
      Cookie: scarce(headerText),
      Range: scarce(fc.constantFrom('bytes=0-10', 'bytes=-1', 'rows=1')),
      'X-HTTP-Method-Override': scarce(fc.constant('DELETE')),
    })
    .map((all) =>
      Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    );
}

/** What bodies have, of the right and of the wrong kind, and text that is none. */
function body(ids: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const anything = fc.oneof(
    anyText,
    fc.boolean(),
    fc.double(),
    fc.constant(null),
    fc.array(anyText, { maxLength: 2 }),
    fc.jsonValue(),
  );
  const member = <T>(good: fc.Arbitrary<T>) => sometimes(2, fc.oneof(good, good, anything));
  const object = fc.record({
    provider: member(fc.constantFrom('us_provider', 'global_provider')),
    setup_token: member(fc.base64String()),
    api_key: member(fc.string({ minLength: 1 })),
    name: member(anyText),
    include_pending: member(fc.boolean()),
    history_days: member(fc.integer({ min: -1, max: 5_000 })),
    account_type: member(fc.constantFrom('loan', 'depository', 'investment', 'spaceship')),
    duplicate_account_id: member(ids),
  });
  const text = object.map((value) => JSON.stringify(value));
  return fc.oneof(
    weighted(8, text),
    weighted(2, fc.json()),
    weighted(
      1,
      text.map((json) => json.slice(0, json.length / 2)),
    ),
    weighted(1, anyText),
    weighted(1, fc.constantFrom(...TERRIBLE)),
  );
}

/** Bodies that are well-formed JSON, but for one, and too much for a naive program. */
const TERRIBLE = [
  ...['[['.repeat(20_000), `{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ...[`${'{"name":'.repeat(10_000)}1${'}'.repeat(10_000)}`, JSON.stringify('x'.repeat(200_000))],
  ...['{"__proto__":{"name":1}}', '{"name":"\\u0000"}', '{"name":"\\ud800"}', '{"a\\u0000":1}'],
];

function idsOf({ accounts, balances, connections, syncs }: Existing): fc.Arbitrary<string> {
  return fc.oneof(
    weighted(4, fc.constantFrom(...accounts, ...balances, ...connections, ...syncs)),
    weighted(1, fc.uuid()),
    weighted(1, anyText),
  );
}

/** Requests of all kinds for the paths of the API's document. @param templates its paths */
export function wireRequests(templates: string[], existing: Existing): fc.Arbitrary<WireRequest> {
  const { key } = existing;
  const ids = idsOf(existing);
  const methods = fc.oneof(
    weighted(10, fc.constant('GET')),
    weighted(5, fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE')),
    weighted(1, fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY')),
  );
  return fc
    .record({ method: methods, path: path(templates, ids), query: query(ids), headers: headers(key), body: body(ids) })
    .map(({ method, path, query, headers, body }) => {
      const hasBody = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
      return {
        method,
        path: query ? `${path}?${query}` : path,
        headers: hasBody ? { 'Content-Type': 'application/json', ...headers } : headers,
        body: hasBody ? body : null,
      };
    });
}

export interface Route {
  method: string;
  /** As Express or the document has it: `/accounts/:id`, `/api/v1/accounts/{id}`. */
  path: string;
}

/** A person's session on the pages. */
export interface PageSession {
  cookie: string;
  formToken: string;
}

/** Every field that any form or address of a page has, good and bad values of each. */
function fieldValues(ids: fc.Arbitrary<string>): Record<string, fc.Arbitrary<string>> {
  const oneOf = (...good: string[]) => fc.oneof(fc.constantFrom(...good), anyText);
  return {
    ...{ email: oneOf('anna@example.com', 'eve@example.com'), password: oneOf('correct horse'), next: oneOf('/') },
    ...{ new_password: oneOf('correct horse'), delete_password: anyText, invitation: anyText, done: oneOf('password') },
    ...{ time_zone: oneOf('UTC', 'Asia/Tokyo'), name: oneOf('Mine'), search: oneOf('bakery'), secret: anyText },
    ...{ provider: oneOf('us_provider', 'global_provider'), include_pending: oneOf('on'), history: oneOf('keep') },
    ...{ preset: oneOf('read', 'chosen'), scopes: oneOf('balances:read'), expiry: oneOf('30'), other: ids },
    ...{ account_type: oneOf('loan'), then: oneOf('connections'), range: oneOf('1y', 'all'), view: oneOf('balance') },
    ...{ pair: fc.tuple(ids, ids).map((pair) => pair.join(' ')), day: DATES, page: NUMBERS, start: DATES, end: DATES },
  };
}

function fields(ids: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const values = fieldValues(ids);
  const field = fc
    .constantFrom(...Object.keys(values))
    .chain((name) => values[name]!.map((value) => `${name}=${encode(value)}`));
  const all = fc.tuple(...Object.keys(values).map((name) => values[name]!.map((value) => `${name}=${encode(value)}`)));
  const malformed = fc.constantFrom('%', '%00', '%00=1', '%E0%A4%A=%', 'name[a]=1', '__proto__=1', 'x'.repeat(3_000));
  return fc
    .oneof(
      weighted(3, fc.array(fc.oneof(weighted(12, field), weighted(1, malformed)), { maxLength: 6 })),
      weighted(2, all),
    )
    .map((parts) => parts.join('&'));
}

/** Requests of all kinds for the routes of the pages, with and without a session. */
export function pageRequests(
  routes: Route[],
  { cookie, formToken }: PageSession,
  existing: Existing,
): fc.Arbitrary<WireRequest> {
  const ids = idsOf(existing);
  return fc
    .record({
      route: fc.constantFrom(...routes),
      id: ids,
      query: fields(ids),
      form: fields(ids),
      isSignedIn: fc.oneof(weighted(9, fc.constant(true)), weighted(1, fc.constant(false))),
    })
    .map(({ route: { method, path }, id, query, form, isSignedIn }) => ({
      method,
      path: `${path.replace(/:\w+/g, encode(id))}?${query}`,
      headers: {
        ...(isSignedIn && { Cookie: cookie }),
        ...(method === 'POST' && {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Sec-Fetch-Site': 'same-origin',
        }),
      },
      body: method === 'POST' ? `${form}&form_token=${formToken}` : null,
    }));
}

/** What has U+0000 in every place where a route could look for text. */
const NUL_FIELDS = Object.keys({ ...fieldValues(fc.constant('')), ...queryValues(fc.constant('')) });
const NUL_FORM = NUL_FIELDS.map((name) => `${name}=a%00b`).join('&');
const NUL_JSON = JSON.stringify(Object.fromEntries(NUL_FIELDS.map((name) => [name, 'a\0b'])));

/** Malformed questions for every route: its path, its query and its body. None is to be answered with 5xx. */
export function malformedRequests(routes: Route[], existing: Existing, session: PageSession): WireRequest[] {
  const ids: Record<string, string[] | string> = { ...existing };
  return routes.flatMap(({ method, path }) => {
    const isApi = path.startsWith('/api/');
    const parameter = /\{\w+\}|:\w+/;
    const good = path.replace(/(\w+)\/(?:\{\w+\}|:\w+)/, (_, name: string) => `${name}/${ids[name]?.[0] ?? '-'}`);
    const form = `${NUL_FORM}&form_token=${session.formToken}`;
    const bodies = isApi ? [NUL_JSON, ...TERRIBLE] : [form];
    const sent = ['GET', 'HEAD', 'DELETE'].includes(method) ? [null] : bodies;
    const headers: Record<string, string> = isApi
      ? { 'X-Api-Key': existing.key, ...(sent[0] && { 'Content-Type': 'application/json' }) }
      : {
          ...{ Cookie: session.cookie, 'Sec-Fetch-Site': 'same-origin' },
          ...(sent[0] && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        };
    return [
      ...sent.map((body) => ({ method, path: good, headers, body })),
      { method, path: `${good}?${NUL_FORM}`, headers, body: sent[0] ?? null },
      { method, path: path.replace(parameter, '%00'), headers, body: sent[0] ?? null },
    ];
  });
}
