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
  ...['', ' ', '\u0000', '\ud800', '𝒳', '\u202e', '../..', "' or 1=1 --", '%00', '%', '_', '\\', '$1', '{}', '[]'],
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

/** Everything that any route takes, good and bad values of each. */
function query(ids: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const values: Record<string, fc.Arbitrary<string>> = {
    ...{ page: NUMBERS, per_page: NUMBERS, account_id: ids, connection_id: ids, currency: CURRENCIES },
    ...{ start_date: DATES, end_date: DATES, date: DATES, search: anyText },
    pending: fc.oneof(fc.constantFrom('true', 'false'), anyText),
    purge: fc.oneof(fc.constantFrom('false', 'no'), anyText),
    granularity: fc.oneof(fc.constantFrom('day', 'week', 'month', 'year'), anyText),
    status: fc.oneof(fc.constantFrom('queued', 'failed', 'partial'), anyText),
  };
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
    same_as_account_id: member(ids),
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
    weighted(1, fc.constantFrom('[['.repeat(20_000), JSON.stringify('x'.repeat(200_000)), '{"__proto__":{"name":1}}')),
  );
}

/** Requests of all kinds for the paths of the API's document. @param templates its paths */
export function wireRequests(templates: string[], existing: Existing): fc.Arbitrary<WireRequest> {
  const { key, ...known } = existing;
  const ids = fc.oneof(
    weighted(4, fc.constantFrom(...Object.values(known).flat())),
    weighted(1, fc.uuid()),
    weighted(1, anyText),
  );
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
