import type { OpenAPIObject } from '@nestjs/swagger';
import type { ExampleIds } from '../sync/overview/example-ids.queries.js';
import { operationsOf, parametersOf } from './parts.js';

/**
 * Fills path examples with existing ids, so that trying a route finds a record. Deletions keep an id that no record has,
 * because nothing brings a record back.
 */
export function withExampleIds(document: OpenAPIObject, ids: Readonly<ExampleIds>): OpenAPIObject {
  if (Object.keys(ids).length === 0) return document;
  const copy = structuredClone(document);
  for (const { path, method, operation } of operationsOf(copy)) {
    const id = ids[/(\w+)\/\{id\}/.exec(path)?.[1] ?? ''];
    if (method === 'delete' || !id) continue;
    operation.parameters = parametersOf(operation, copy).map((parameter) =>
      parameter.name === 'id' ? { ...parameter, example: id } : parameter,
    );
  }
  return copy;
}
