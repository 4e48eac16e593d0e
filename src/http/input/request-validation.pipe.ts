import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { DomainError, validationFailed } from '../../errors/domain-error.js';
import { ApiError } from '../errors/api-error.js';
import { assertWellFormed } from './well-formed-input.js';
import { parameterNames, plainParameters } from './query-parameters.js';

/**
 * The one global pipe. It refuses every argument from outside that is not well-formed, and makes the query string or JSON
 * body of a route an instance of its class, or answers 422 with every problem. Unknown members of a body are ignored;
 * unknown query parameters are refused.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      transformOptions: { exposeDefaultValues: true },
      exceptionFactory: (errors) => validationFailed(messagesOf(errors)),
    });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    // Our parameter decorators return the caller and the session, which do not come from outside.
    if (type === 'custom') return Promise.resolve(value);
    assertWellFormed(value, metadata);
    if (!metatype || !this.toValidate(metadata)) return Promise.resolve(value);
    if (type === 'query') return this.readQuery(metatype, value as Record<string, unknown>);
    return this.readBody(metatype, value);
  }

  /** @throws DomainError `validation_failed` */
  async readQuery<Query>(queryClass: Type<Query>, given: Record<string, unknown>): Promise<Query> {
    const { parameters, problems } = plainParameters(given, parameterNames(queryClass));
    try {
      const query = (await super.transform(parameters, { type: 'query', metatype: queryClass })) as Query;
      if (problems.length === 0) return query;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      problems.push(...(error.parts.errors ?? []));
    }
    throw validationFailed(problems);
  }

  /** @throws DomainError `validation_failed`; `bad_request` for a body that is no object */
  async readBody<Body>(bodyClass: Type<Body>, body: unknown): Promise<Body> {
    if (body === null || typeof body !== 'object' || Array.isArray(body)) {
      throw new ApiError('bad_request', 'Send a JSON object with Content-Type: application/json.');
    }
    return (await super.transform(body, { type: 'body', metatype: bodyClass })) as Body;
  }
}

function messagesOf(errors: readonly ValidationError[]): string[] {
  return errors.flatMap(({ constraints, children }) => [
    ...Object.values(constraints ?? {}),
    ...messagesOf(children ?? []),
  ]);
}
