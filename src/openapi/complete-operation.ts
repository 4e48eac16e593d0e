import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS } from '../http/errors/api-error.js';
import { JSON_TYPE } from '../http/export/media-type.guard.js';
import { KEYED_METHODS, TAKES_IDEMPOTENCY_KEY } from '../http/idempotency/idempotency.interceptor.js';
import { ErrorResponse } from '../http/errors/error-response.js';
import { IGNORES_UNKNOWN_PARAMETERS } from '../http/input/query-parameters.guard.js';
import { ACCEPTED_IN } from '../http/location.interceptor.js';
import { REQUIRED_SCOPE_EXTENSION } from '../auth/require-scope.decorator.js';
import { codeOfStatus, exampleOfError } from './error-examples.js';
import { exampleOf } from './example-of.js';
import { IDEMPOTENCY_KEY, IF_NONE_MATCH, REQUEST_ID, RETRY_AFTER_SOMETIMES } from './headers.js';
import {
  type DocumentedOperation,
  isReference,
  type Operation,
  type Parameter,
  type RequestBody,
  resolve,
  type ResponsePart,
  type Schema,
  schemaReference,
  type SchemaOrReference,
} from './document-types.js';

/** Adds the responses and headers that routes have in common. */
export function completeOperation({ path, method, operation }: DocumentedOperation, document: OpenAPIObject): void {
  const isApi = path.startsWith('/api/');
  const responses = operation.responses as Record<string, ResponsePart>;
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1];
  // Of a request that is malformed, or for another host, before its route is known.
  for (const status of [400, 421]) responses[status] ??= errorResponse(status);
  if (isApi) addSharedResponses(path, method, operation);
  const isIdempotent = TAKES_IDEMPOTENCY_KEY in operation && KEYED_METHODS.has(method.toUpperCase());
  if (TAKES_IDEMPOTENCY_KEY in operation) delete operation[TAKES_IDEMPOTENCY_KEY];
  if (isIdempotent) addIdempotencyConflict(responses);
  const isAccepted = ACCEPTED_IN in operation;
  if (isAccepted) delete operation[ACCEPTED_IN];
  const isPage = hasMember('pagination', success, document);
  const ignoresUnknown = IGNORES_UNKNOWN_PARAMETERS in operation;
  if (ignoresUnknown) delete operation[IGNORES_UNKNOWN_PARAMETERS];

  for (const [status, response] of Object.entries(responses)) {
    const names = ['X-Request-Id'];
    if (isApi) names.push('Cache-Control', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
    if (status === '401') names.push('WWW-Authenticate');
    if (status === '429' || status === '503') names.push('Retry-After');
    if (responses['304'] && (response === success || status === '304')) names.push('ETag');
    if (response === success && isPage) names.push('Link');
    if (isAccepted && response === success) names.push('Location');
    if (status === '201' && hasMember('id', success, document)) names.push('Location');
    if (ignoresUnknown && (response === success || status === '304')) names.push('Warning');
    if (response.content?.['text/csv']) names.push('Content-Disposition');
    if (isIdempotent && response === success) names.push('Idempotent-Replayed');
    response.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
    if (status === '502' || (isIdempotent && status === '409')) response.headers['Retry-After'] = RETRY_AFTER_SOMETIMES;
    completeBody(Number(status), response, document);
  }
  completeDescription(operation);
  // The document requires the key for all routes.
  if (operation.security) delete operation.security;
  else operation.security = [];
  completeParameters(operation, responses['304'] !== undefined);
  if (isIdempotent) operation.parameters!.push(IDEMPOTENCY_KEY);
  completeRequest(operation, document);
}

function addSharedResponses(path: string, method: string, { responses }: Operation): void {
  const add = (status: number) => {
    (responses as Record<string, ResponsePart>)[status] ??= errorResponse(status);
  };
  for (const status of [406, 422, 429, 500, 503]) add(status);
  if (path.includes('{')) add(404);
  if (method !== 'get') add(412);
  // A body is refused even where none is needed.
  if (['post', 'put', 'patch'].includes(method)) for (const status of [413, 415]) add(status);
}

/** In addition to the conflicts of the route itself. */
function addIdempotencyConflict(responses: Record<string, ResponsePart>): void {
  const own = responses['409'];
  const response = errorResponse(409);
  responses['409'] = response;
  if (own) {
    response.description = `${own.description} Or the \`Idempotency-Key\` is in use.`;
  } else {
    response.description = ERRORS.idempotency_conflict.title;
    response.content![JSON_TYPE]!.example = exampleOfError('idempotency_conflict');
  }
}

function errorResponse(status: number): ResponsePart {
  const { title } = ERRORS[codeOfStatus(status)];
  return { description: title, content: { [JSON_TYPE]: { schema: schemaReference(ErrorResponse.name) } } };
}

/** Names the scope, since the shared 403 response cannot. */
function completeDescription(operation: Operation & { [REQUIRED_SCOPE_EXTENSION]?: string }): void {
  const scope = operation[REQUIRED_SCOPE_EXTENSION];
  delete operation[REQUIRED_SCOPE_EXTENSION];
  if (scope) operation.description = [operation.description, `Scope: \`${scope}\`.`].filter(Boolean).join('\n\n');
}

function hasMember(name: string, { content }: ResponsePart, document: OpenAPIObject): boolean {
  const schema = content?.[JSON_TYPE]?.schema;
  return schema !== undefined && name in (resolve<Schema>(schema, document).properties ?? {});
}

function completeBody(status: number, response: ResponsePart, document: OpenAPIObject): void {
  const body = response.content?.[JSON_TYPE];
  if (!body?.schema) return;
  if (status < 400) {
    body.example ??= exampleOf(body.schema, document);
    return;
  }
  body.example ??= exampleOfError(codeOfStatus(status));
}

function completeParameters(operation: Operation, hasValidator: boolean): void {
  // A query class is found twice: by the decorator, and without its enums by the type of the argument.
  const found = operation.parameters as Parameter[];
  const parameters = found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
  operation.parameters = parameters;
  for (const parameter of parameters) {
    // Several values have commas between them; by default they would be several parameters of one name.
    const { schema } = parameter;
    if (parameter.in === 'query' && schema && !isReference(schema) && schema.type === 'array')
      parameter.explode = false;
    if (parameter.in !== 'path') continue;
    parameter.description ??= 'The record’s id. A malformed id gets 404, like an unknown one.';
    parameter.schema = { type: 'string', format: 'uuid' };
    parameter.example ??= '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90';
  }
  if (hasValidator) parameters.push(IF_NONE_MATCH);
  parameters.push(REQUEST_ID);
}

function completeRequest({ requestBody }: Operation, document: OpenAPIObject): void {
  const body = (requestBody as RequestBody | undefined)?.content[JSON_TYPE];
  if (!body?.schema) return;
  closeSchema(body.schema, document);
  if (!body.examples) body.example ??= exampleOf(body.schema, document);
}

/** Members that a request does not have are refused. */
function closeSchema(of: SchemaOrReference, document: OpenAPIObject): void {
  const schema = resolve<Schema>(of, document);
  if (schema.properties) schema.additionalProperties = false;
  for (const one of schema.oneOf ?? []) closeSchema(one, document);
}
