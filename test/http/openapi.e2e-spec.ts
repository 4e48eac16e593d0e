import { globSync, readFileSync } from 'node:fs';
import type { OpenAPIObject, OperationObject, RequestBodyObject, SchemaObject } from '@nestjs/swagger';
import { referenceOf } from '../../scripts/reference.js';
import { SCOPES } from '../../src/auth/scopes.js';
import { openApiDocument } from '../../src/web/openapi/document.js';
import { operationsOf, parametersOf, resolve } from '../../src/web/openapi/document-types.js';
import { emptyBodyOf, responsesOf } from '../support/responses-of.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, LOCAL_PROVIDER, send, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { schemaValidator, withoutOtherMembers } from '../support/contract.js';

/** What those get who may do nothing; the second lacks its body. */
const WITHOUT_SCOPE: Record<string, number> = { '/api/v1/me': 200, '/api/v1/me/rotate_key': 400 };

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('OpenAPI document', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let narrow: TestClient;
  let document: OpenAPIObject;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    narrow = await createClient(tidemark, { scopes: [] });
    document = openApiDocument(tidemark.app);
  });
  afterAll(() => tidemark.stop());

  const apiOperations = () => operationsOf(document).filter(({ path }) => path.startsWith('/api/'));
  const schemaOf = (name: string) => document.components!.schemas![name] as SchemaObject;
  const fill = (path: string) => path.replace(/\{\w+\}/g, UNKNOWN_ID);
  const ask = (
    method: string,
    path: string,
    { key = '', accept = '*/*', body = '' }: { key?: string; accept?: string; body?: string | FormData } = {},
  ) =>
    send(tidemark.url + fill(path), {
      method: method.toUpperCase(),
      headers: {
        'X-Api-Key': key,
        Accept: accept,
        ...(typeof body === 'string' && body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body }),
    });

  it('the OpenAPI document is 3.0.3, version v1, in JSON and YAML, and equals docs/openapi.json and docs/reference.md (npm run openapi)', async () => {
    const { body } = await send(`${tidemark.url}/openapi.json`);
    expect(body).toMatchObject({ openapi: '3.0.3', info: { title: 'Tidemark', version: 'v1' } });
    expect(body).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
    expect(referenceOf(body)).toBe(readFileSync('docs/reference.md', 'utf8'));
    expect((await send(`${tidemark.url}/openapi.yaml`)).body).toMatch(/^openapi: 3\.0\.3$/m);
    expect(document.components!.securitySchemes).toEqual({
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: expect.any(String) },
    });
  });

  it('Swagger UI at /docs loads files of this service only, and forgets the API key', async () => {
    const page = `${tidemark.url}/docs`;
    const { body, headers } = await send(page);
    const files = [...String(body).matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]+)"/g)].map(
      ([, file]) => file!,
    );
    expect(files).toContain('./docs/swagger-ui-init.js');
    for (const file of files) expect([file, (await send(new URL(file, page).href)).status]).toEqual([file, 200]);
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(body).not.toMatch(/<script>|<script [^>]*>[^<\s]/);
    const { body: start } = await send(`${page}/swagger-ui-init.js`);
    expect(start).toContain('"tryItOutEnabled": true');
    // The next person in this browser would use the key.
    expect(start).toContain('"persistAuthorization": false');
  });

  it('the OpenAPI document has every route under /api and no other', () => {
    const { stack } = (tidemark.app.getHttpAdapter().getInstance() as { router: { stack: unknown } }).router;
    const served = (stack as { route?: { path: string; methods: Record<string, boolean> } }[])
      .flatMap(({ route }) => (route ? [route] : []))
      .filter(({ path, methods }) => path.startsWith('/api/') && !methods.trace)
      .flatMap(({ path, methods }) =>
        Object.keys(methods).map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
      );
    expect(served.sort()).toEqual(
      apiOperations()
        .map(({ path, method }) => `${method} ${path}`)
        .sort(),
    );
  });

  it('every operation has a unique id, a documented tag, a summary and described parameters', () => {
    const ids = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags!.map(({ name }) => name);
    for (const { operation } of operationsOf(document)) {
      expect(tags).toContain(operation.tags?.[0]);
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      const parameters = parametersOf(operation, document);
      for (const parameter of parameters) expect(parameter.description).toBeTruthy();
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
    }
  });

  it('every operation that cannot be undone begins with that, so that nobody executes its example unwarned', () => {
    const isWarned = ({ description = '' }: OperationObject) => description.startsWith('**This cannot be undone');
    const all = operationsOf(document);
    const idsOf = (some: typeof all) => some.map(({ operation }) => operation.operationId).sort();
    expect(idsOf(all.filter(({ method, operation }) => method !== 'delete' && isWarned(operation)))).toEqual([
      'mergeAccount',
      'rotateKey',
    ]);
    expect(idsOf(all.filter(({ method, operation }) => method === 'delete' && !isWarned(operation)))).toEqual([
      'cancelSync',
      'removeStatement',
      'removeValue',
      'restoreAccount',
      'undoCorrection',
    ]);
  });

  it('every request, response and error has an example that is valid by its schema', () => {
    const ajv = schemaValidator(document);
    const validators = new Map<string, ReturnType<typeof ajv.compile>>();
    /** Most operations have the same errors. */
    const validatorOf = (schema: SchemaObject) => {
      const text = JSON.stringify(schema);
      const validate = validators.get(text) ?? ajv.compile(withoutOtherMembers(schema));
      validators.set(text, validate);
      return validate;
    };
    for (const { path, method, operation } of operationsOf(document)) {
      const bodies = [
        operation.requestBody as RequestBodyObject | undefined,
        ...Object.values(responsesOf(operation, document)),
      ];
      for (const [type, { schema, example, examples }] of bodies.flatMap((body) =>
        Object.entries(body?.content ?? {}),
      )) {
        const named = Object.values(examples ?? {}).map((each) => resolve<{ value?: unknown }>(each, document).value);
        const given = [example, ...named, resolve<SchemaObject>(schema!, document).example].filter(
          (each) => each !== undefined,
        );
        expect({ path, method, type, examples: given.length }).not.toMatchObject({ examples: 0 });
        const validate = validatorOf(schema as SchemaObject);
        for (const each of given)
          expect([path, method, validate(each) || validate.errors]).toEqual([path, method, true]);
      }
    }
    expect(JSON.stringify(document)).not.toContain('#/components/schemas/Object"');
  });

  it('every route under /api needs one known scope, except the one that shows the API key itself', () => {
    const scopes = apiOperations().map(({ path, operation }) => {
      expect(operation.security ?? document.security).toEqual([{ apiKey: [] }]);
      const scope = /\n*Scope: `(.+)`\.$/.exec(operation.description ?? '')?.[1] ?? 'none';
      expect([path, '403' in operation.responses]).toEqual([path, !path.startsWith('/api/v1/me')]);
      return `${path} ${scope}`;
    });
    // What the feed gives depends on the scopes for its types.
    expect(scopes.filter((text) => text.endsWith(' none')).sort()).toEqual([
      ...['/api/v1/changes none', '/api/v1/me none', '/api/v1/me/rotate_key none'],
    ]);
    for (const text of scopes) expect(['none', ...SCOPES]).toContain(text.split(' ')[1]);
  });

  // `send` holds every answer against the document: status, headers and body.
  it('every route answers as documented without an API key, without the scope, and to an unsupported media type', async () => {
    for (const { path, method, operation } of apiOperations()) {
      expect([path, (await ask(method, path)).status]).toEqual([path, 401]);
      const withoutScope = await ask(method, path, { key: narrow.key });
      expect([path, withoutScope.status]).toEqual([path, WITHOUT_SCOPE[path] ?? 403]);
      const refused = await ask(method, path, { key: client.key, accept: 'image/png' });
      expect([path, refused.status, operation.operationId]).toEqual([path, 406, operation.operationId]);
    }
  });

  it('every route answers as documented to requests with an API key, whatever they send', async () => {
    for (const { path, method, operation } of apiOperations()) {
      const types = Object.keys(responsesOf(operation, document)['200']?.content ?? {});
      if (types.includes('text/event-stream')) continue;
      for (const accept of types.length ? types : ['*/*']) await ask(method, path, { key: client.key, accept });
      await ask(method, `${path}?page[]=1&start_date=x&date=y&account_id=z&purge=maybe`, { key: client.key });
      if (operation.requestBody)
        for (const body of ['{', '[]', '{}']) await ask(method, path, { key: client.key, body });
    }
  });

  it('every route refuses unknown query parameters, except the list of balances', async () => {
    for (const { path, method, operation } of apiOperations()) {
      const isLenient = method === 'get' && path === '/api/v1/balances';
      const { status, body } = await ask(method, `${path}?startdate=x&start_date[a]=1`, {
        key: client.key,
        body: method === 'get' || method === 'delete' ? '' : emptyBodyOf(operation),
      });
      if (isLenient) expect([path, body.errors]).toEqual([path, ['start_date must be given once, as plain text']]);
      else expect([path, status, body.errors?.[0]]).toEqual([path, 422, 'startdate is not a parameter of this route']);
    }
  });

  it('the OpenAPI document has the maximum length of each text', () => {
    const isOpen = (schema: SchemaObject) =>
      schema.type === 'string' && !schema.enum && !schema.format && !schema.pattern && schema.maxLength === undefined;
    const open = apiOperations().flatMap(({ path, method, operation }) => {
      const body = (operation.requestBody as RequestBodyObject | undefined)?.content['application/json']?.schema;
      const whole = body && resolve<SchemaObject>(body, document);
      const members = (whole?.oneOf ?? (whole ? [whole] : [])).flatMap((each) =>
        Object.entries(resolve<SchemaObject>(each, document).properties ?? {}),
      );
      const parameters = parametersOf(operation, document)
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema }) => [name, schema!] as const);
      return [...members, ...parameters].flatMap(([name, schema]) =>
        isOpen(resolve<SchemaObject>(schema, document)) ? [`${method} ${path} ${name}`] : [],
      );
    });
    expect(open).toEqual([]);
    expect(schemaOf('ConnectUsProviderRequest').properties).toMatchObject({
      name: { maxLength: 200, nullable: true },
      setup_token: { minLength: 1, maxLength: 4096 },
    });
    expect(schemaOf('ReplaceGlobalProviderCredentials').properties).toMatchObject({
      api_key: { minLength: 1, maxLength: 4096 },
    });
  });

  it('every route of the OpenAPI document has a test', () => {
    const tests = globSync('test/**/*.{e2e,e2e-spec}.ts').filter((path) => !path.includes('openapi'));
    const text = tests.map((path) => readFileSync(path, 'utf8')).join('\n');
    // Helpers put paths together: what every test of a route must name is the last word of its path, and its method.
    const untested = apiOperations().filter(({ path, method }) => {
      const word = path.split('/').findLast((part) => !part.startsWith('{'));
      return (
        !new RegExp(`/${word}\\b`).test(text) || !new RegExp(`\\.${method}\\(|method: '${method}'`, 'i').test(text)
      );
    });
    expect(untested.map(({ path, method }) => `${method} ${path}`)).toEqual([]);
  });

  describe('schema of balances', () => {
    const fields = (name: string, ajv = schemaValidator(document)) =>
      Object.fromEntries(
        Object.entries(schemaOf(name).properties ?? {}).map(([field, schema]) => {
          const { type, format, minimum } = schema as SchemaObject;
          const isNullable = ajv.compile(withoutOtherMembers(schema))(null);
          const notes = [format && `(${format})`, isNullable && 'null', minimum !== undefined && `min ${minimum}`];
          return [field, [type, ...notes].filter(Boolean).join(' ')];
        }),
      );

    it('the schema of balances has the specified fields, types, formats and nullability', () => {
      const pair = (name: string, note = '') => ({ [name]: `string${note}`, [`${name}_cents`]: `integer${note}` });
      expect(fields('Balance')).toEqual({
        id: 'string (uuid)',
        date: 'string (date)',
        currency: 'string',
        flows_factor: 'number (float)',
        ...pair('balance'),
        ...pair('cash_balance', ' null'),
        ...Object.assign({}, ...OPTIONAL_PAIRS.map((name) => pair(name))),
        ...pair('start_balance'),
        ...pair('end_balance'),
        account: '',
        created_at: 'string (date-time)',
        updated_at: 'string (date-time)',
      });
      expect(fields('BalanceAccount')).toEqual({ id: 'string (uuid)', name: 'string', account_type: 'string null' });
      expect(fields('Pagination')).toEqual({
        page: 'integer min 1',
        per_page: 'integer min 1',
        total_count: 'integer min 0',
        total_pages: 'integer min 0',
      });
      expect(fields('ErrorResponse')).toEqual({
        error: 'string',
        message: 'string null',
        details: 'null',
        errors: 'array null',
      });
    });

    it('the schema of balances requires the specified fields and no others', () => {
      expect([...schemaOf('Balance').required!].sort()).toEqual([
        ...[
          'account',
          'balance',
          'balance_cents',
          'created_at',
          'currency',
          'date',
          'end_balance',
          'end_balance_cents',
        ],
        ...['flows_factor', 'id', 'start_balance', 'start_balance_cents', 'updated_at'],
      ]);
      expect(schemaOf('BalanceAccount').required).toEqual(['id', 'name', 'account_type']);
      expect(schemaOf('Pagination').required).toEqual(['page', 'per_page', 'total_count', 'total_pages']);
      expect(schemaOf('BalanceCollection').required).toEqual(['balances', 'pagination']);
      expect(schemaOf('ErrorResponse').required).toEqual(['error']);
    });

    it('the list of balances has the specified parameters, all optional', () => {
      const inQuery = parametersOf(document.paths['/api/v1/balances']!.get!, document).filter(
        (parameter) => parameter.in === 'query',
      );
      expect(inQuery.map(({ name, required, schema }) => [name, required, (schema as SchemaObject).default])).toEqual([
        ['page', false, 1],
        ['per_page', false, 25],
        ['account_id', false, undefined],
        ['currency', false, undefined],
        ['start_date', false, undefined],
        ['end_date', false, undefined],
        ['sort', false, '-date'],
        ['cursor', false, undefined],
        ['as_of', false, undefined],
        ['updated_since', false, undefined],
      ]);
      expect(inQuery[1]!.schema).toMatchObject({ type: 'integer', maximum: 100 });
      for (const one of [2, 3]) expect(inQuery[one]!.schema).toMatchObject({ type: 'string' });
    });
  });
});

describe('OpenAPI document with the sandbox', () => {
  it('the OpenAPI document of a service with the sandbox has a working example for each provider', async () => {
    const bank = await startTestApp({ SANDBOX: '1', ROLE: 'api' });
    afterThisTest(bank.stop);
    const GLOBALPROVIDER_BASE_URL = `${bank.url}/sandbox/global/api/v1`;
    const tidemark = await startTestApp({ ...LOCAL_PROVIDER, SANDBOX: '1', ROLE: 'api', GLOBALPROVIDER_BASE_URL });
    afterThisTest(tidemark.stop);
    const client = await createClient(tidemark);

    const { body } = await send(`${tidemark.url}/openapi.json`);
    const { examples } = body.paths['/api/v1/connections'].post.requestBody.content['application/json'];
    expect(Object.keys(examples)).toEqual(['us_provider', 'global_provider']);
    for (const [provider, { value }] of Object.entries<{ value: object }>(examples)) {
      const answer = await client.post('/api/v1/connections', value);
      expect([answer.status, answer.body]).toMatchObject([201, { provider }]);
    }
  });
});

const OPTIONAL_PAIRS = [
  ...['start_cash_balance', 'start_non_cash_balance', 'cash_inflows', 'cash_outflows', 'non_cash_inflows'],
  ...['non_cash_outflows', 'net_market_flows', 'cash_adjustments', 'non_cash_adjustments', 'end_cash_balance'],
  'end_non_cash_balance',
];
