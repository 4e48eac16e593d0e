import { type ArgumentMetadata, Injectable, type PipeTransform, type Type, ValidationPipe } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate, validateSync, type ValidationError } from 'class-validator';
import { validationFailed } from '../../errors/domain-error.js';
import { ApiError } from '../errors/api-error.js';
import { plainParameters, queryParametersOf } from './query-parameters.js';
import { assertWellFormed } from './well-formed-input.js';

const TRANSFORM_OPTIONS = { exposeDefaultValues: true };
/** What Nest's pipe uses of class-validator; left alone, it loads all of it a second time, which takes 15 MiB. */
const VALIDATOR = {
  validate: (value: unknown, options?: object) => validate(value as object, options),
  getMetadataStorage,
};
/** Their values are copied and checked as a whole, not made an instance of. */
const BUILT_IN: ReadonlySet<unknown> = new Set([Object, String, Number, Boolean, Array]);

/**
 * The one global pipe. It refuses every argument from outside that is not well-formed, and makes the query string or JSON
 * body of a route an instance of its class, or answers 422 with every problem. Unknown members of a body are ignored;
 * unknown query parameters are refused.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown, unknown> {
  readonly #bodies = new ValidationPipe({
    transform: true,
    whitelist: true,
    validatorPackage: VALIDATOR,
    transformOptions: TRANSFORM_OPTIONS,
    exceptionFactory: (errors) => validationFailed([...messagesOf(errors)]),
  });

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype, data } = metadata;
    // Our parameter decorators return the caller and the session, which do not come from outside.
    if (type === 'custom') return value;
    assertWellFormed(value, metadata);
    if (!metatype || data !== undefined || BUILT_IN.has(metatype)) return value;
    if (type === 'query') return this.readQuery(metatype, value as Record<string, unknown>);
    return type === 'body' ? this.readBody(metatype, value) : value;
  }

  /** @throws DomainError `validation_failed` with every problem, those that Nest's pipe does not see included */
  readQuery<Query extends object>(queryClass: Type<Query>, given: Record<string, unknown>): Query {
    const { parameters, problems } = plainParameters(given, queryParametersOf(queryClass));
    const query = plainToInstance(queryClass, parameters, TRANSFORM_OPTIONS);
    problems.push(...messagesOf(validateSync(query)));
    if (problems.length > 0) throw validationFailed(problems);
    return query;
  }

  /** @throws DomainError `validation_failed`; ApiError `bad_request` for a body that is no object */
  async readBody<Body>(bodyClass: Type<Body>, body: unknown): Promise<Body> {
    if (body === null || typeof body !== 'object' || Array.isArray(body)) {
      throw new ApiError('bad_request', 'Send a JSON object with Content-Type: application/json.');
    }
    return (await this.#bodies.transform(body, { type: 'body', metatype: bodyClass })) as Body;
  }
}

/** Once each: several checks of one member may say the same. */
function messagesOf(errors: readonly ValidationError[]): Set<string> {
  return new Set(
    errors.flatMap(({ constraints, children }) => [...Object.values(constraints ?? {}), ...messagesOf(children ?? [])]),
  );
}
