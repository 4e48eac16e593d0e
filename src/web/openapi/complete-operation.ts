import type {
  HeaderObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import { REQUIRED_SCOPE_EXTENSION } from '../../auth/require-scope.decorator.js';
import { ERRORS, type ErrorCode } from '../../http/errors/api-error.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { JSON_TYPE } from '../../http/export/media-type.guard.js';
import { KEYED_METHODS, TAKES_IDEMPOTENCY_KEY } from '../../http/idempotency/idempotency.interceptor.js';
import { IGNORES_UNKNOWN_PARAMETERS } from '../../http/input/query-parameters.guard.js';
import { isApiRequest } from '../../http/headers.js';
import { ACCEPTED_IN } from '../../http/location.interceptor.js';
import { codeOfStatus, exampleOfError } from './error-examples.js';
import { exampleOf } from './example-of.js';
import { HEADERS, IDEMPOTENCY_KEY, IF_NONE_MATCH, REQUEST_ID, RETRY_AFTER_SOMETIMES } from './headers.js';
import { type DocumentedOperation, isReference, resolve, schemaReference } from './document-types.js';

/** Headers of every answer to a program. */
const USUAL_HEADERS = ['X-Request-Id', 'Cache-Control', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** What the document asks of a route. */
interface Route {
  method: string;
  path: string;
  scope: string | undefined;
  isIdempotent: boolean;
}

const always = () => true;
/** A body is refused even where none is needed. */
const mayHaveBody = ({ method }: Route) => ['post', 'put', 'patch'].includes(method);

/** Errors of more than one route, and which routes have them. */
const SHARED_ERRORS = Object.entries({
  bad_request: always,
  unauthorized: always,
  insufficient_scope: ({ scope }) => scope !== undefined,
  record_not_found: ({ path }) => path.includes('{'),
  not_acceptable: always,
  idempotency_conflict: ({ isIdempotent }) => isIdempotent,
  precondition_failed: ({ method }) => method !== 'get',
  payload_too_large: mayHaveBody,
  unsupported_media_type: mayHaveBody,
  misdirected_request: always,
  validation_failed: always,
  rate_limit_exceeded: always,
  internal_server_error: always,
  unavailable: always,
} satisfies Partial<Record<ErrorCode, (route: Route) => boolean>>) as [ErrorCode, (route: Route) => boolean][];

/** What operations refer to. */
export const SHARED_PARTS = {
  headers: HEADERS,
  parameters: { IfNoneMatch: IF_NONE_MATCH, RequestId: REQUEST_ID, IdempotencyKey: IDEMPOTENCY_KEY },
  responses: Object.fromEntries(SHARED_ERRORS.map(([code]) => [code, errorResponse(code)])),
};

/** Adds the responses, headers, parameters and examples that routes have in common. */
export function completeOperation({ path, method, operation }: DocumentedOperation, document: OpenAPIObject): void {
  const isApi = path.startsWith('/api/');
  const scope = takeMark(operation, REQUIRED_SCOPE_EXTENSION) as string | undefined;
  const isKeyed = takeMark(operation, TAKES_IDEMPOTENCY_KEY) !== undefined;
  const isAccepted = takeMark(operation, ACCEPTED_IN) !== undefined;
  const ignoresUnknown = takeMark(operation, IGNORES_UNKNOWN_PARAMETERS) !== undefined;
  const isIdempotent = isKeyed && KEYED_METHODS.has(method.toUpperCase());

  const own = operation.responses as Record<string, ResponseObject>;
  for (const [status, response] of Object.entries(own)) {
    const isSuccess = status.startsWith('2');
    const isRead = isSuccess || status === '304';
    const names = isApi
      ? [...USUAL_HEADERS]
      : isApiRequest({ path })
        ? ['X-Request-Id', 'Cache-Control']
        : ['X-Request-Id'];
    if (isRead && own['304']) names.push('ETag');
    if (isRead && ignoresUnknown) names.push('Warning');
    if (isSuccess && isIdempotent) names.push('Idempotent-Replayed');
    if (isSuccess && hasMember('pagination', response, document)) names.push('Link');
    if (isSuccess && (isAccepted || (status === '201' && hasMember('id', response, document)))) names.push('Location');
    if (response.content?.['text/csv']) names.push('Content-Disposition');
    if (status === '503') names.push('Retry-After');
    response.headers = headersOf(names);
    if (status === '502' || (status === '409' && isIdempotent)) response.headers['Retry-After'] = RETRY_AFTER_SOMETIMES;
    if (status === '409' && isIdempotent) response.description += ' Or the `Idempotency-Key` is in use.';
    const body = response.content?.[JSON_TYPE];
    if (body?.schema)
      body.example ??= isSuccess ? exampleOf(body.schema, document) : exampleOfError(codeOfStatus(Number(status)));
  }
  for (const [code, isShared] of isApi ? SHARED_ERRORS : []) {
    const { status } = ERRORS[code];
    if (isShared({ path, method, scope, isIdempotent })) operation.responses[status] ??= referTo('responses', code);
  }
  if (scope) operation.description = [operation.description, `Scope: \`${scope}\`.`].filter(Boolean).join('\n\n');
  // The document requires the key for all routes.
  if (operation.security) delete operation.security;
  else operation.security = [];
  completeParameters(operation);
  if (own['304']) operation.parameters!.push(referTo('parameters', 'IfNoneMatch'));
  operation.parameters!.push(referTo('parameters', 'RequestId'));
  if (isIdempotent) operation.parameters!.push(referTo('parameters', 'IdempotencyKey'));
  completeRequest(operation, document);
}

/** Removes what a decorator has noted. */
function takeMark(operation: OperationObject, name: `x-${string}`): unknown {
  const marked = operation as OperationObject & Record<string, unknown>;
  const value = marked[name];
  delete marked[name];
  return value;
}

function referTo(kind: keyof typeof SHARED_PARTS, name: string): ReferenceObject {
  return { $ref: `#/components/${kind}/${name}` };
}

function errorResponse(code: ErrorCode): ResponseObject {
  const { title, status } = ERRORS[code];
  const names = [...USUAL_HEADERS];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  return {
    description: title,
    content: { [JSON_TYPE]: { schema: schemaReference(ErrorResponse.name), example: exampleOfError(code) } },
    headers: { ...headersOf(names), ...(status === 409 && { 'Retry-After': RETRY_AFTER_SOMETIMES }) },
  };
}

function headersOf(names: readonly string[]): Record<string, HeaderObject | ReferenceObject> {
  return Object.fromEntries(names.map((name) => [name, referTo('headers', name)]));
}

function hasMember(name: string, { content }: ResponseObject, document: OpenAPIObject): boolean {
  const schema = content?.[JSON_TYPE]?.schema;
  return schema !== undefined && name in (resolve<SchemaObject>(schema, document).properties ?? {});
}

function completeParameters(operation: OperationObject): void {
  for (const parameter of operation.parameters as ParameterObject[]) {
    // Several values have commas between them; by default they would be several parameters of one name.
    const { schema } = parameter;
    if (parameter.in === 'query' && schema && !isReference(schema) && schema.type === 'array')
      parameter.explode = false;
    if (parameter.in !== 'path') continue;
    if (schema && !isReference(schema) && schema.format) {
      parameter.example = schema.example as unknown;
      continue;
    }
    parameter.description ??= 'The record’s id. A malformed id gets 404, like an unknown one.';
    parameter.schema = { type: 'string', format: 'uuid' };
    parameter.example ??= '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90';
  }
}

function completeRequest({ requestBody }: OperationObject, document: OpenAPIObject): void {
  // Of JSON, or a form with a file.
  const [body] = Object.values((requestBody as RequestBodyObject | undefined)?.content ?? {});
  if (!body?.schema) return;
  closeSchema(body.schema, document);
  if (!body.examples) body.example ??= exampleOf(body.schema, document);
}

/** Members that a request does not have are refused. */
function closeSchema(of: SchemaObject | ReferenceObject, document: OpenAPIObject): void {
  const schema = resolve<SchemaObject>(of, document);
  if (schema.properties) schema.additionalProperties = false;
  for (const one of schema.oneOf ?? []) closeSchema(one, document);
}
