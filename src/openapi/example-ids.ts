import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, parametersOf } from './parts.js';

/** Ids that exist, by the part of the path in front of them: `accounts`, `balances`, … */
export type ExampleIds = Record<string, string>;

/** The document with these ids as examples of what can be read, so that whoever tries it out meets a record. */
export function withExampleIds(document: OpenAPIObject, ids: Readonly<ExampleIds>): OpenAPIObject {
  if (Object.keys(ids).length === 0) return document;
  const copy = structuredClone(document);
  for (const { path, method, operation } of operationsOf(copy)) {
    const id = ids[/(\w+)\/\{id\}/.exec(path)?.[1] ?? ''];
    if (method !== 'get' || !id) continue;
    operation.parameters = parametersOf(operation, copy).map((parameter) =>
      parameter.name === 'id' ? { ...parameter, example: id } : parameter,
    );
  }
  return copy;
}
