import { readFileSync } from 'node:fs';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { OpenAPIObject, ReferenceObject, ResponseObject, SchemaObject } from '@nestjs/swagger';
import { isReference, operationsOf } from '../../src/web/openapi/document-types.js';
import { responsesOf } from './responses-of.js';

/** HTTP's own headers and those that protect browsers: true of every answer and no news to a client. */
const PLAIN_HEADERS = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  'x-accel-buffering',
  ...['content-security-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy', 'referrer-policy'],
  'vary',
  ...['permissions-policy', 'strict-transport-security'],
  ...['x-content-type-options', 'x-frame-options'],
]);

const ERROR = { $ref: '#/components/schemas/ErrorResponse' };

export interface CheckedAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Holds answers against the OpenAPI document of the service that gave them. */
export class Contract {
  readonly #operations: { method: string; pattern: RegExp; responses: Record<string, ResponseObject> }[];
  readonly #ajv: Ajv;
  readonly #validators = new Map<unknown, ValidateFunction>();

  constructor(document: OpenAPIObject) {
    this.#operations = operationsOf(document).map(({ path, method, operation }) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
      responses: responsesOf(operation, document),
    }));
    this.#ajv = schemaValidator(document);
  }

  /** @throws Error that says what of an answer is not documented, or not as documented */
  check(method: string, path: string, answer: CheckedAnswer): void {
    const at = `${method} ${path} ${answer.status}`;
    const onPath = this.#operations.filter(({ pattern }) => pattern.test(path) && isDecodable(path));
    const operation = onPath.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
    if (!operation) return this.#checkUnserved(at, onPath.length > 0, answer, method === 'HEAD');
    const response = operation.responses[answer.status];
    if (!response) throw new Error(`${at}: the status is not documented`);
    this.#checkHeaders(at, response, answer.headers);
    if (method !== 'HEAD') this.#checkBody(at, response, answer);
  }

  #checkUnserved(at: string, isServed: boolean, { status, headers, body }: CheckedAnswer, isHead: boolean): void {
    if (status !== (isServed ? 405 : 404)) throw new Error(`${at}: the route is not documented`);
    if (isServed && !headers.get('allow')) throw new Error(`${at}: Allow is missing`);
    if (isHead) return;
    this.#checkSchema(at, ERROR, body);
  }

  #checkHeaders(at: string, { headers: documented = {} }: ResponseObject, headers: Headers): void {
    const known = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
    const optional = new Set(
      Object.entries(documented).flatMap(([name, header]) =>
        !isReference(header) && header.required === false ? [name.toLowerCase()] : [],
      ),
    );
    for (const name of headers.keys()) {
      if (!PLAIN_HEADERS.has(name) && !known.has(name)) throw new Error(`${at}: the header ${name} is not documented`);
    }
    for (const name of ['x-request-id', 'retry-after', 'www-authenticate', 'cache-control']) {
      if (known.has(name) && !optional.has(name) && !headers.has(name))
        throw new Error(`${at}: the header ${name} is missing`);
    }
  }

  #checkBody(at: string, { content = {} }: ResponseObject, { headers, body }: CheckedAnswer): void {
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    if (Object.keys(content).length === 0) {
      if (body !== '') throw new Error(`${at}: a body is not documented`);
      return;
    }
    const documented = content[type];
    if (!documented) throw new Error(`${at}: the media type ${type || 'none'} is not documented`);
    if (type === 'application/json') this.#checkSchema(at, documented.schema!, body);
  }

  #checkSchema(at: string, schema: SchemaObject | ReferenceObject, body: unknown): void {
    let validate = this.#validators.get(schema);
    if (!validate) this.#validators.set(schema, (validate = this.#ajv.compile(withoutOtherMembers(schema))));
    if (validate(body)) return;
    const problems = validate.errors?.map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
    throw new Error(`${at}: the body is not as documented:\n${problems?.join('\n')}`);
  }
}

/** A path that is no text after decoding is nobody's. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/**
 * A validator that knows the schemas of a document. Ajv reads `nullable` as OpenAPI 3.0.3 means it: beside a type only,
 * and an `enum`, `allOf` or `oneOf` must allow null, too.
 */
export function schemaValidator({ components }: OpenAPIObject): Ajv {
  const ajv = new Ajv({ strict: true, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  // Keywords of OpenAPI that decide nothing here: of a discriminator, the `oneOf` beside it says the same.
  ajv.addVocabulary(['components', 'discriminator', 'example']);
  const schemas = mapValues(components?.schemas ?? {}, withoutOtherMembers);
  return ajv.addSchema({ $id: 'document', components: { schemas } });
}

/** A schema that also refuses members that it does not document. Its references lead into the schema `document`. */
export function withoutOtherMembers(schema: SchemaObject | ReferenceObject): AnySchemaObject {
  if (isReference(schema)) return { $ref: schema.$ref.replace(/^#/, 'document#') };
  const { properties, items, oneOf, allOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, withoutOtherMembers) }),
    ...(properties && { additionalProperties: additionalProperties ?? false }),
    ...(items && { items: withoutOtherMembers(items) }),
    ...(oneOf && { oneOf: oneOf.map(withoutOtherMembers) }),
    ...(allOf && { allOf: allOf.map(withoutOtherMembers) }),
  };
}

function mapValues<From, To>(from: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, map(value)]));
}

let committed: Contract | undefined;

/** Of docs/openapi.json, which its own test compares with what the service says: to make that document takes as long as a start. */
export function committedContract(): Contract {
  return (committed ??= new Contract(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject));
}
