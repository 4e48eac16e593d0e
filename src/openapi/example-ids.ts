import type { OpenAPIObject } from '@nestjs/swagger';
import { JSON_TYPE } from '../http/export/media-type.guard.js';
import type { ExampleIds } from '../sync/overview/example-ids.queries.js';
import { type Operation, operationsOf, parametersOf, type RequestBody } from './document-types.js';

const OF_DELETION = 'Nothing has this id: a deletion cannot be undone, so enter the id yourself.';
const OF_NOTHING = 'Nothing has this id: there is no such record of yours yet.';

/**
 * Fills path examples with existing ids, so that trying a route finds a record. Deletions keep an id that no record has,
 * because nothing brings a record back. Where an example cannot succeed, it says why.
 */
export function withExampleIds(document: OpenAPIObject, ids: Readonly<ExampleIds>): OpenAPIObject {
  if (Object.keys(ids).length === 0) return document;
  const copy = structuredClone(document);
  for (const { path, method, operation } of operationsOf(copy)) {
    const namesTwo = nameOtherAccount(path, operation, ids);
    const own = ids[/(\w+)\/\{id\}/.exec(path)?.[1] ?? ''];
    const id = method === 'delete' ? undefined : namesTwo ? (ids.disconnected ?? own) : own;
    const note = id ? {} : { description: method === 'delete' ? OF_DELETION : OF_NOTHING };
    operation.parameters = parametersOf(operation, copy).map((parameter) =>
      parameter.name === 'id' ? { ...parameter, ...(id && { example: id }), ...note } : parameter,
    );
  }
  return copy;
}

const OTHER_ACCOUNT = 'OtherAccountRequest';
const PAIR = 'Two accounts of yours that may be one';
const NO_PAIR = 'Refused with 409: none of your accounts continues a disconnected one';
const ANY_TWO = 'Two accounts of yours';

/** @returns whether the operation is about two accounts, of which its body names the second */
function nameOtherAccount(
  path: string,
  { requestBody }: Operation,
  { disconnected, replacement }: ExampleIds,
): boolean {
  const body = (requestBody as RequestBody | undefined)?.content[JSON_TYPE];
  if (!body?.examples?.[OTHER_ACCOUNT]) return false;
  const summary = disconnected ? PAIR : path.endsWith('/merge') ? NO_PAIR : ANY_TWO;
  if (replacement) body.examples = { [OTHER_ACCOUNT]: { summary, value: { account_id: replacement } } };
  return true;
}
