import type { OpenAPIObject } from '@nestjs/swagger';
import type { ExampleIds } from '../sync/overview/example-ids.queries.js';
import { type Operation, operationsOf, parametersOf, type RequestBody } from './parts.js';

/**
 * Fills path examples with existing ids, so that trying a route finds a record. Deletions keep an id that no record has,
 * because nothing brings a record back.
 */
export function withExampleIds(document: OpenAPIObject, ids: Readonly<ExampleIds>): OpenAPIObject {
  if (Object.keys(ids).length === 0) return document;
  const copy = structuredClone(document);
  for (const { path, method, operation } of operationsOf(copy)) {
    const namesTwo = nameOtherAccount(operation, ids.replacement);
    const own = ids[/(\w+)\/\{id\}/.exec(path)?.[1] ?? ''];
    const id = namesTwo ? (ids.disconnected ?? own) : own;
    if (method === 'delete' || !id) continue;
    operation.parameters = parametersOf(operation, copy).map((parameter) =>
      parameter.name === 'id' ? { ...parameter, example: id } : parameter,
    );
  }
  return copy;
}

const OTHER_ACCOUNT = 'OtherAccountRequest';

/** @returns whether the operation is about two accounts, of which its body names the second */
function nameOtherAccount({ requestBody }: Operation, id: string | undefined): boolean {
  const body = (requestBody as RequestBody | undefined)?.content['application/json'];
  if (!body?.examples?.[OTHER_ACCOUNT]) return false;
  if (id) body.examples = { [OTHER_ACCOUNT]: { value: { account_id: id } } };
  return true;
}
