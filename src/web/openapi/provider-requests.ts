import type { ContentObject, OpenAPIObject, RequestBodyObject } from '@nestjs/swagger';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { JSON_TYPE } from '../../http/export/media-type.guard.js';
import { requestClassesOf } from '../../sync/overview/provider-requests.service.js';
import { exampleOf } from './example-of.js';
import { isReference, operationsOf, referencedName, schemaReference } from './document-types.js';

const CONNECT = 'ConnectRequest';
const REPLACE = 'ReplaceCredentialsRequest';

/** Adds the installed providers, which decorators cannot know. */
export function describeProviders(document: OpenAPIObject, descriptors: readonly ProviderDescriptor[]): void {
  const schemas = document.components!.schemas!;
  const requests = descriptors.map((descriptor) => ({ descriptor, ...requestClassesOf(descriptor) }));
  schemas[CONNECT] = {
    oneOf: requests.map(({ connect }) => schemaReference(connect.name)),
    discriminator: {
      propertyName: 'provider',
      mapping: Object.fromEntries(
        requests.map(({ descriptor, connect }) => [descriptor.name, schemaReference(connect.name).$ref]),
      ),
    },
  };
  schemas[REPLACE] = { oneOf: requests.map(({ replace }) => schemaReference(replace.name)) };
  for (const { kind, body } of secretBodies(document)) {
    body.examples = Object.fromEntries(
      requests.map(({ descriptor: { name, texts }, connect, replace }) => {
        const value: unknown = exampleOf(schemaReference((kind === CONNECT ? connect : replace).name), document);
        return [name, { summary: texts.title, value }];
      }),
    );
  }
}

/** The request bodies that carry the secret of a provider. */
function secretBodies(document: OpenAPIObject): { kind: string; body: ContentObject[string] }[] {
  return operationsOf(document).flatMap(({ operation }) => {
    const body = (operation.requestBody as RequestBodyObject | undefined)?.content[JSON_TYPE];
    const kind = body?.schema && isReference(body.schema) ? referencedName(body.schema) : '';
    return body && [CONNECT, REPLACE].includes(kind) ? { kind, body } : [];
  });
}
