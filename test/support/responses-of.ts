import type { OpenAPIObject, OperationObject, ReferenceObject, ResponseObject } from '@nestjs/swagger';
import { resolve } from '../../src/web/openapi/document-types.js';

/** The responses of an operation by their status. */
export function responsesOf({ responses }: OperationObject, document: OpenAPIObject): Record<string, ResponseObject> {
  const entries = Object.entries(responses as Record<string, ResponseObject | ReferenceObject>);
  return Object.fromEntries(entries.map(([status, response]) => [status, resolve<ResponseObject>(response, document)]));
}
