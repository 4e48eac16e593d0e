import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import {
  MAX_SECRET_CHARS,
  type ProviderDescriptor,
  type SecretDescription,
} from '../../bank-provider/provider-descriptor.js';
import { ConnectRequest } from '../../connections/connect.request.js';
import { ReplaceCredentialsRequest } from './edit-connection.request.js';

// The request classes are made from descriptors, because each provider names the member that carries its secret.

interface RequestClasses {
  connect: Type<ConnectRequest>;
  replace: Type<ReplaceCredentialsRequest>;
}

const classes = new WeakMap<ProviderDescriptor, RequestClasses>();

/** The request bodies of a provider, for validation and for the API document. */
export function requestClassesOf(descriptor: ProviderDescriptor): RequestClasses {
  let found = classes.get(descriptor);
  if (!found)
    classes.set(descriptor, (found = { connect: connectClass(descriptor), replace: replaceClass(descriptor) }));
  return found;
}

/** For a body whose provider is not installed. */
export function unknownProviderClass(names: readonly string[]): Type<ConnectRequest> {
  class UnknownProviderRequest extends ConnectRequest {}
  IsIn(names, { message: `provider must be one of: ${names.join(', ')}` })(
    UnknownProviderRequest.prototype,
    'provider',
  );
  return UnknownProviderRequest;
}

function connectClass(descriptor: ProviderDescriptor): Type<ConnectRequest> {
  const { name, secret, defaultConnectionName } = descriptor;
  class ProviderConnectRequest extends ConnectRequest {}
  rename(ProviderConnectRequest, `Connect${pascalCase(name)}Request`);
  const { prototype } = ProviderConnectRequest;
  ApiProperty({ enum: [name], example: name })(prototype, 'provider');
  // First, so that it is the first error of a missing secret.
  IsNotEmpty({ message: `${secret.field} must not be empty` })(prototype, secret.field);
  addSecret(prototype, secret);
  ApiPropertyOptional({
    example: 'My banks',
    description: `How you want to call it. Left out: “${defaultConnectionName}”, numbered from the second on.`,
  })(prototype, 'name');
  return ProviderConnectRequest;
}

function replaceClass({ name, secret }: ProviderDescriptor): Type<ReplaceCredentialsRequest> {
  class ProviderReplaceRequest extends ReplaceCredentialsRequest {}
  rename(ProviderReplaceRequest, `Replace${pascalCase(name)}Credentials`);
  addSecret(ProviderReplaceRequest.prototype, secret);
  // A missing secret is reported together with the secret of another provider.
  IsOptional()(ProviderReplaceRequest.prototype, secret.field);
  return ProviderReplaceRequest;
}

function addSecret(prototype: object, { field, description, example }: SecretDescription): void {
  const tooLong = `${field} must not be longer than ${MAX_SECRET_CHARS} characters`;
  ApiProperty({ type: String, description, example })(prototype, field);
  MaxLength(MAX_SECRET_CHARS, { message: tooLong })(prototype, field);
  IsString({ message: `${field} must be a string` })(prototype, field);
}

/** The API document calls a schema by the name of its class. */
function rename(requestClass: Type, name: string): void {
  Object.defineProperty(requestClass, 'name', { value: name });
}

/** `us_provider` as `UsProvider`. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
