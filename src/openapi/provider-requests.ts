import type { OpenAPIObject } from '@nestjs/swagger';
import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import { requestClassesOf } from '../sync/overview/provider-request-classes.js';

/** What the decorators of the routes cannot know: which providers there are. */
export function describeProviders(document: OpenAPIObject, descriptors: readonly ProviderDescriptor[]): void {
  const schemas = document.components!.schemas!;
  const requests = descriptors.map((descriptor) => ({ name: descriptor.name, ...requestClassesOf(descriptor) }));
  schemas.ConnectRequest = {
    oneOf: requests.map(({ connect }) => ref(connect)),
    discriminator: {
      propertyName: 'provider',
      mapping: Object.fromEntries(requests.map(({ name, connect }) => [name, ref(connect).$ref])),
    },
  };
  schemas.ReplaceCredentialsRequest = { oneOf: requests.map(({ replace }) => ref(replace)) };
}

function ref({ name }: { name: string }): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
