import { Injectable, type Type } from '@nestjs/common';
import { DomainError, validationFailed } from '../../platform/domain-error.js';
import { RequestValidationPipe } from '../../http/input/request-validation.pipe.js';
import { Given, GivenOneOf } from '../../http/input/given.js';
import {
  MAX_SECRET_CHARS,
  type ProviderDescriptor,
  type SecretDescription,
} from '../../providers/provider-descriptor.js';
import { ProviderError, ProviderInputError } from '../../providers/provider-error.js';
import { ProviderRegistry, UnknownProviderError } from '../../providers/provider-registry.js';
import { Secret } from '../../platform/config/secret.js';
import { ConnectRequest, OwnName, ReplaceCredentialsRequest } from './connection.requests.js';
import type { NewConnection } from '../connect/connect-bank.service.js';
import { Allow } from 'class-validator';

/** Validates the request bodies that carry a provider's secret. */
@Injectable()
export class ProviderRequestsService {
  readonly #unknownProvider: Type<ConnectRequest>;

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly validation: RequestValidationPipe,
  ) {
    this.#unknownProvider = unknownProviderClass(providers.all.map(({ descriptor }) => descriptor));
  }

  /** @throws DomainError `validation_failed` with all errors */
  connect(body: unknown): Omit<NewConnection, 'userId' | 'caller'> {
    const { provider: name } = Object(body) as { provider?: unknown };
    const descriptor = typeof name === 'string' ? this.providers.find(name)?.descriptor : undefined;
    const requestClass = descriptor ? requestClassesOf(descriptor).connect : this.#unknownProvider;
    const request = this.validation.readBody(requestClass, body);
    return {
      provider: request.provider,
      name: request.name || null,
      pasted: secretOf(descriptor!, request),
      includePending: request.include_pending,
      historyDays: request.history_days,
    };
  }

  /** @throws DomainError `validation_failed` with all errors; `conflict` when the provider is not installed */
  replacement(provider: string, body: unknown): Secret {
    const installed = this.providers.find(provider);
    if (!installed) throw new DomainError('conflict', new UnknownProviderError(provider).message);
    const { descriptor } = installed;
    return secretOf(descriptor, this.validation.readBody(requestClassesOf(descriptor).replace, body));
  }

  /** Maps the errors of a provider to errors of the API. */
  errorOf(error: unknown, provider: string): unknown {
    if (error instanceof ProviderInputError) {
      return validationFailed([`${this.providers.get(provider).descriptor.secret.field} ${error.message}`]);
    }
    if (error instanceof ProviderError) {
      const { kind, message, retryAfterSeconds } = error;
      return new DomainError('provider_error', message, {
        details: { kind },
        ...(retryAfterSeconds !== null && { retryAfterSeconds }),
      });
    }
    return error;
  }
}

function secretOf({ secret: { field } }: ProviderDescriptor, request: object): Secret {
  return new Secret((request as Record<string, string>)[field]!);
}

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
function unknownProviderClass(descriptors: readonly ProviderDescriptor[]): Type<ConnectRequest> {
  class UnknownProviderRequest extends ConnectRequest {}
  const { prototype } = UnknownProviderRequest;
  const names = descriptors.map(({ name }) => name);
  GivenOneOf(names)(prototype, 'provider');
  for (const { secret } of descriptors) Allow()(prototype, secret.field);
  return UnknownProviderRequest;
}

function connectClass(descriptor: ProviderDescriptor): Type<ConnectRequest> {
  const { name, secret, defaultConnectionName } = descriptor;
  class ProviderConnectRequest extends ConnectRequest {}
  rename(ProviderConnectRequest, `Connect${pascalCase(name)}Request`);
  const { prototype } = ProviderConnectRequest;
  GivenOneOf([name], { example: name })(prototype, 'provider');
  addSecret(prototype, secret);
  OwnName(`A name of your choice. Default: “${defaultConnectionName}”, numbered from the second on.`)(
    prototype,
    'name',
  );
  return ProviderConnectRequest;
}

function replaceClass({ name, secret }: ProviderDescriptor): Type<ReplaceCredentialsRequest> {
  class ProviderReplaceRequest extends ReplaceCredentialsRequest {}
  rename(ProviderReplaceRequest, `Replace${pascalCase(name)}Credentials`);
  addSecret(ProviderReplaceRequest.prototype, secret);
  return ProviderReplaceRequest;
}

function addSecret(prototype: object, { field, description, example }: SecretDescription): void {
  const schema = { type: String, minLength: 1, maxLength: MAX_SECRET_CHARS };
  const problemOf = (value: unknown) => {
    if (value === undefined || value === null || value === '') return 'must not be empty';
    if (typeof value !== 'string') return 'must be a string';
    return value.length > MAX_SECRET_CHARS ? `must not be longer than ${MAX_SECRET_CHARS} characters` : null;
  };
  const clean = (text: string) => text.trim();
  Given<string>({ schema, problemOf, clean }, { description, example })(prototype, field);
}

/** The API document calls a schema by the name of its class. */
function rename(requestClass: Type, name: string): void {
  Object.defineProperty(requestClass, 'name', { value: name });
}

/** `us_provider` as `UsProvider`. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
