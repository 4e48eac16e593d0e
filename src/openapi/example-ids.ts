import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, parametersOf } from './parts.js';

/** Existing ids by the path segment before them: `accounts`, `balances`, … */
export type ExampleIds = Record<string, string>;

/** Fills path examples with existing ids, so that trying a route finds a record. */
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
