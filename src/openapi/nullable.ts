import type { OpenAPIObject } from '@nestjs/swagger';
import { isReference, type Schema, type SchemaOrReference } from './parts.js';

/** OpenAPI 3.0 has no type `null`; only `null` matches this schema. */
const NULL_SCHEMA: SchemaOrReference = { type: 'object', nullable: true, enum: [null] };

/**
 * Corrects two forms of `nullable` that decorators write and OpenAPI 3.0.3 reads differently: an `enum` allows null
 * only if it lists it, and a reference in `allOf` only if the referenced schema does.
 */
export function correctNullable(document: OpenAPIObject): void {
  for (const schema of Object.values(document.components?.schemas ?? {})) correctWithin(schema);
}

function correctWithin(schema: SchemaOrReference): void {
  if (isReference(schema)) return;
  if (schema.nullable) correct(schema);
  const { properties = {}, items, oneOf = [] } = schema;
  for (const part of [...Object.values(properties), ...oneOf]) correctWithin(part);
  if (items) correctWithin(items);
}

function correct(schema: Schema): void {
  if (schema.enum && !schema.enum.includes(null)) schema.enum = [...(schema.enum as unknown[]), null];
  if (!schema.allOf) return;
  schema.oneOf = [...schema.allOf, NULL_SCHEMA];
  delete schema.allOf;
  delete schema.type;
  delete schema.nullable;
}
