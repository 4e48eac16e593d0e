import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { recordNotFound, validationFailed } from '../../errors/domain-error.js';
import { ApiError } from '../errors/api-error.js';
import { plainParameters, queryParametersOf } from './query-parameters.js';

/** Their values are copied and checked as a whole, not made an instance of. */
const BUILT_IN: ReadonlySet<unknown> = new Set([Object, String, Number, Boolean, Array]);

/**
 * The one global pipe. It refuses every argument from outside that is not well-formed, and makes the query string or JSON
 * body of a route an instance of its class, or answers 422 with every problem, those included that it has no name for: a
 * misspelt optional member would change nothing, and nobody would know.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown, unknown> {
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
    return valid(queryClass, parameters, problems);
  }

  /** @throws DomainError `validation_failed`; ApiError `bad_request` for a body that is no object */
  readBody<Body extends object>(bodyClass: Type<Body>, body: unknown): Body {
    if (body === null || typeof body !== 'object' || Array.isArray(body)) {
      throw objectExpected();
    }
    return valid(bodyClass, body);
  }
}

/** @param problems that were found before */
function valid<Input extends object>(inputClass: Type<Input>, given: object, problems: string[] = []): Input {
  const input = plainToInstance(inputClass, given, { exposeDefaultValues: true });
  problems.push(...messagesOf(validateSync(input, { whitelist: true, forbidNonWhitelisted: true })));
  if (problems.length > 0) throw validationFailed(problems);
  return input;
}

/** Once each: several checks of one member may say the same. */
function messagesOf(errors: readonly ValidationError[]): Set<string> {
  return new Set(
    errors.flatMap(({ property, constraints = {}, children = [] }) =>
      'whitelistValidation' in constraints
        ? [notAMember(property)]
        : [...Object.values(constraints), ...messagesOf(children)],
    ),
  );
}

export function objectExpected(): ApiError {
  return new ApiError('bad_request', 'Send a JSON object with Content-Type: application/json.');
}

export function notAMember(name: string): string {
  return `${name} is not a member of this body`;
}

/** Deeper than any body of a route, and shallow enough for recursive code. */
const MAX_DEPTH_LEVELS = 32;
const MAX_PROBLEMS = 20;
const MAX_NAME_CHARS = 100;

const BAD_TEXT = 'must not contain U+0000 or half of a surrogate pair';
/** class-transformer makes a value an instance of its `constructor`, and leaves a member of either name out unseen. */
const BAD_NAMES = ['constructor', '__proto__'];

interface Part {
  value: unknown;
  /** `scopes`, or 2 for the third element of a list; the root has its own name, `''` for a body or query. */
  key: string | number;
  /** The enclosing value; `null` for the root. */
  within: Part | null;
  depthLevels: number;
}

/**
 * Refuses a handler argument that PostgreSQL cannot store, U+0000 or lone surrogates, or whose members have names that
 * mislead class-transformer, with 422, and one that is nested too deep with 400.
 */
function assertWellFormed(value: unknown, { type, data = '' }: ArgumentMetadata): void {
  const problems = problemsOf({ value, key: data, within: null, depthLevels: 0 });
  if (problems.length === 0) return;
  // A malformed id is answered like an unknown one.
  throw type === 'param' ? recordNotFound('record') : validationFailed(problems);
}

/** Iterative, because the value may be nested deeper than the stack. */
function problemsOf(whole: Part): string[] {
  const problems: string[] = [];
  const parts = [whole];
  for (let part = parts.pop(); part && problems.length < MAX_PROBLEMS; part = parts.pop()) {
    const { value, depthLevels } = part;
    if (typeof value === 'string') {
      if (!isStorable(value)) problems.push(`${nameOf(part) || 'the text'} ${BAD_TEXT}`);
    } else if (typeof value === 'object' && value !== null) {
      if (depthLevels >= MAX_DEPTH_LEVELS) {
        throw new ApiError('bad_request', `The body is nested deeper than ${MAX_DEPTH_LEVELS} levels.`);
      }
      if (!Array.isArray(value) && !Object.keys(value).every(isStorable)) {
        problems.push(`the name of a member ${BAD_TEXT}`);
      }
      if (BAD_NAMES.some((name) => Object.hasOwn(value, name))) {
        problems.push(`the name of a member must not be ${BAD_NAMES.join(' or ')}`);
      }
      for (const [key, member] of membersOf(value)) {
        parts.push({ value: member, key, within: part, depthLevels: depthLevels + 1 });
      }
    }
  }
  return problems;
}

function membersOf(value: object): Iterable<[string | number, unknown]> {
  return Array.isArray(value) ? (value as unknown[]).entries() : Object.entries(value as Record<string, unknown>);
}

/** The name in a message: `name`, `scopes[2]`, `account.name`. Built for invalid values only. */
function nameOf({ key, within }: Part): string {
  if (!within) return String(key);
  const outer = nameOf(within);
  const name = typeof key === 'number' ? `${outer}[${key}]` : outer ? `${outer}.${key}` : key;
  return name.slice(0, MAX_NAME_CHARS);
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
