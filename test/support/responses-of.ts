import type {
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
} from '@nestjs/swagger';
import { resolve } from '../../src/web/openapi/document-types.js';

/** The responses of an operation by their status. */
export function responsesOf({ responses }: OperationObject, document: OpenAPIObject): Record<string, ResponseObject> {
  const entries = Object.entries(responses as Record<string, ResponseObject | ReferenceObject>);
  return Object.fromEntries(entries.map(([status, response]) => [status, resolve<ResponseObject>(response, document)]));
}

/** A body without members: a form where the operation takes a file. */
export function emptyBodyOf({ requestBody }: OperationObject): string | FormData {
  const content = (requestBody as RequestBodyObject | undefined)?.content ?? {};
  return 'multipart/form-data' in content ? new FormData() : '{}';
}
