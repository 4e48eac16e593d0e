import type { OpenAPIObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { isReference, resolve } from './document-types.js';

/** For fields whose format is example enough. */
const BY_FORMAT: Record<string, string> = {
  uuid: '5f0c7d0e-8f3b-4c55-9a4e-2b1f6d3c9a10',
  date: '2026-03-15',
  'date-time': '2026-03-15T06:17:04.211Z',
};

/** The example of a schema, made of the examples of its fields. `undefined` where a field has none. */
export function exampleOf(schema: SchemaObject | ReferenceObject, document: OpenAPIObject): unknown {
  if (isReference(schema)) return exampleOf(resolve<SchemaObject>(schema, document), document);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.nullable) return null;
  if (schema.allOf?.[0]) return exampleOf(schema.allOf[0], document);
  if (schema.oneOf?.[0]) return exampleOf(schema.oneOf[0], document);
  if (schema.type === 'array') return exampleOfArray(schema, document);
  if (schema.properties) return exampleOfObject(schema.properties, schema.required ?? [], document);
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'boolean') return true;
  return BY_FORMAT[schema.format ?? ''];
}

function exampleOfArray({ items }: SchemaObject, document: OpenAPIObject): unknown {
  const item = items && exampleOf(items, document);
  return item === undefined ? undefined : [item];
}

/** An optional member appears only if it has an example. */
function exampleOfObject(
  properties: Record<string, SchemaObject | ReferenceObject>,
  required: readonly string[],
  document: OpenAPIObject,
): unknown {
  const members = Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, document)] as const);
  const isShown = ([name, example]: readonly [string, unknown]) =>
    example !== undefined && (example !== null || required.includes(name));
  return Object.fromEntries(members.filter(isShown));
}
