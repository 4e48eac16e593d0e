import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation, type Reference, resolve, type ResponsePart } from '../../src/web/openapi/document-types.js';

/** The responses of an operation by their status. */
export function responsesOf({ responses }: Operation, document: OpenAPIObject): Record<string, ResponsePart> {
  const entries = Object.entries(responses as Record<string, ResponsePart | Reference>);
  return Object.fromEntries(entries.map(([status, response]) => [status, resolve<ResponsePart>(response, document)]));
}
