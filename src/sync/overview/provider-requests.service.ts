import { Injectable, type Type } from '@nestjs/common';
import { DomainError, validationFailed } from '../../errors/domain-error.js';
import { RequestValidationPipe } from '../../http/input/request-validation.pipe.js';
import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { ProviderError, ProviderInputError } from '../../bank-provider/provider-error.js';
import { ProviderRegistry, UnknownProvider } from '../../bank-provider/provider-registry.js';
import { Secret } from '../../config/secret.js';
import type { ConnectRequest } from '../../connections/connect.request.js';
import type { NewConnection } from '../connect/connect-bank.service.js';
import { requestClassesOf, unknownProviderClass } from './provider-request-classes.js';

/** Validates the request bodies that carry a provider's secret. */
@Injectable()
export class ProviderRequestsService {
  readonly #unknownProvider: Type<ConnectRequest>;

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly validation: RequestValidationPipe,
  ) {
    this.#unknownProvider = unknownProviderClass(providers.all.map(({ descriptor }) => descriptor.name));
  }

  /** @throws DomainError `validation_failed` with all errors */
  async connect(body: unknown): Promise<Omit<NewConnection, 'userId' | 'caller'>> {
    const { provider: name } = Object(body) as { provider?: unknown };
    const descriptor = typeof name === 'string' ? this.providers.find(name)?.descriptor : undefined;
    const requestClass = descriptor ? requestClassesOf(descriptor).connect : this.#unknownProvider;
    const request = await this.validation.readBody(requestClass, body);
    return {
      provider: request.provider,
      name: request.name?.trim() || null,
      pasted: this.#pasted(descriptor!, body),
      includePending: request.include_pending,
      historyDays: request.history_days,
    };
  }

  /** @throws DomainError `validation_failed` with all errors; `conflict` when the provider is not installed */
  async replacement(provider: string, body: unknown): Promise<Secret> {
    const installed = this.providers.find(provider);
    if (!installed) throw new DomainError('conflict', new UnknownProvider(provider).message);
    const { descriptor } = installed;
    await this.validation.readBody(requestClassesOf(descriptor).replace, body);
    return this.#pasted(descriptor, body);
  }

  /** Maps the errors of a provider to errors of the API. */
  errorOf(error: unknown, provider: string): unknown {
    if (error instanceof ProviderInputError) {
      return validationFailed([`${this.providers.get(provider).descriptor.secret.field} ${error.message}`]);
    }
    if (error instanceof ProviderError) {
      return new DomainError('provider_error', error.message, { details: { kind: error.kind } });
    }
    return error;
  }

  /** @param body as its request class has validated it */
  #pasted({ secret: { field } }: ProviderDescriptor, body: unknown): Secret {
    const given = body as Record<string, string | null | undefined>;
    const fields = new Set(this.providers.all.map(({ descriptor }) => descriptor.secret.field));
    const others = [...fields].filter((other) => other !== field && given[other] !== undefined);
    const errors = others.map((other) => `${other} does not belong to this provider: send ${field}`);
    const text = given[field]?.trim() ?? '';
    if (text === '') errors.push(`${field} must not be empty`);
    if (errors.length > 0) throw validationFailed(errors);
    return new Secret(text);
  }
}
