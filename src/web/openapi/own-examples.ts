import type { OpenAPIObject, OperationObject, RequestBodyObject } from '@nestjs/swagger';
import type { DemoCredentials } from '../../providers/demo-credentials.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import type { ExampleIds } from '../../sync/overview/example-ids.queries.js';
import { operationsOf, parametersOf } from './document-types.js';

const OF_DELETION = 'Nothing has this id: a deletion cannot be undone, so enter the id yourself.';
const OF_NOTHING = 'Nothing has this id: you have no record yet that this could be tried with.';

/** The values of members of request bodies, made for each example, since a secret works once. */
type ExampleMembers = Readonly<Record<string, () => string>>;

/** Secrets that the sandbox accepts, and an address that accepts every request. @param origin address of this process */
export function demoMembers(
  demo: DemoCredentials,
  descriptors: readonly ProviderDescriptor[],
  origin: string,
): ExampleMembers {
  const secrets = descriptors
    .filter(({ name }) => demo.providers.includes(name))
    .map(({ name, secret }) => [secret.field, () => demo.create(name, origin)] as const);
  return { ...Object.fromEntries(secrets), url: () => demo.receiverUrl(origin) };
}

/**
 * The document with examples that can be executed: ids of a person's records in paths, and values of members in bodies.
 * Deletions keep an id that no record has, because nothing brings a record back. Where there is no record, the id says so.
 */
export function withOwnExamples(document: OpenAPIObject, ids: ExampleIds | null, members: ExampleMembers) {
  const copy = JSON.parse(JSON.stringify(document)) as OpenAPIObject;
  for (const { path, method, operation } of operationsOf(copy)) {
    const bodies = bodyExamples(operation);
    for (const body of bodies) for (const name of Object.keys(body)) if (members[name]) body[name] = members[name]();
    const [account] = ids?.accounts ?? [];
    for (const body of bodies) if (account && 'account_id' in body) body.account_id = account;
    const parameters = parametersOf(operation, copy);
    const parameter = parameters.find(({ name }) => name === 'id');
    if (!ids || !parameter) continue;
    const within = parameters.filter(({ name }) => name.endsWith('_id') && path.includes(`{${name}}`));
    for (const one of within) one.example = ids[one.name]?.[0] ?? (one.example as unknown);
    const [, list = '', action = ''] = /(\w+)\/\{id\}\/?(\w*)/.exec(path) ?? [];
    const isNothing = method === 'delete' || within.some(({ name }) => !ids[name]);
    const [id, other] = isNothing ? [] : (ids[`${list}/${action}`] ?? ids[list] ?? []);
    if (id) parameter.example = id;
    else parameter.description = method === 'delete' ? OF_DELETION : OF_NOTHING;
    if (other) for (const body of bodies) body.account_id = other;
  }
  return copy;
}

function bodyExamples({ requestBody }: OperationObject): Record<string, unknown>[] {
  const [body] = Object.values((requestBody as RequestBodyObject | undefined)?.content ?? {});
  const named = Object.values(body?.examples ?? {}) as { value: unknown }[];
  return [body?.example as unknown, ...named.map(({ value }) => value)].filter(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
