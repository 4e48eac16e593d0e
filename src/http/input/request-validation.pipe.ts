import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { recordNotFound, validationFailed } from '../../platform/domain-error.js';
import { ApiError } from '../errors/api-error.js';
import { IN_QUERY } from './given.js';
import { plainParameters, queryParametersOf } from './query-parameters.guard.js';

/** Their values are copied and checked as a whole, not made an instance of. */
const BUILT_IN: ReadonlySet<unknown> = new Set([Object, String, Number, Boolean, Array]);

/**
 * The one global pipe. It refuses every argument from outside that is not well-formed, and makes the query string or JSON
 * body of a route an instance of its class, or answers 422 with a problem of each member, those included that it has no name for: a
 * misspelt optional member would change nothing, and nobody would know.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    // Our parameter decorators return the caller and the session, which do not come from outside.
    if (type === 'custom') return value;
    if (metatype && data === undefined && !BUILT_IN.has(metatype)) {
      if (type === 'query') return this.readQuery(metatype, value as Record<string, unknown>);
      if (type === 'body') return this.readBody(metatype, value);
    }
    const problems = malformedParts(value, data);
    if (problems.length === 0) return value;
    // A malformed id is answered like an unknown one.
    throw type === 'param' ? recordNotFound('record') : validationFailed(problems);
  }

  /** @throws DomainError `validation_failed` with every problem, those that Nest's pipe does not see included */
  readQuery<Query extends object>(queryClass: Type<Query>, given: Record<string, unknown>): Query {
    const { parameters, problems } = plainParameters(given, queryParametersOf(queryClass));
    return valid(queryClass, parameters, [...malformedParts(given), ...problems], IN_QUERY);
  }

  /** @throws DomainError `validation_failed`; ApiError `bad_request` for a body that is no object */
  readBody<Body extends object>(bodyClass: Type<Body>, body: unknown): Body {
    if (body === null || typeof body !== 'object' || Array.isArray(body)) {
      throw objectExpected();
    }
    const problems = malformedParts(body);
    const misleading = misleadingNames(body);
    if (misleading.length > 0) throw validationFailed([...problems, ...misleading.map(notAMember)]);
    return valid(bodyClass, body, problems);
  }
}

/**
 * @param problems that were found before
 * @param groups of transformations
 */
function valid<Input extends object>(
  inputClass: Type<Input>,
  given: object,
  problems: string[],
  groups: string[] = [],
): Input {
  const input = plainToInstance(inputClass, given, { exposeDefaultValues: true, groups });
  const options = { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true };
  problems.push(...messagesOf(validateSync(input, options)));
  if (problems.length > 0) throw validationFailed(problems);
  return input;
}

/** The first problem of each member: a missing one would fail every check. */
function messagesOf(errors: readonly ValidationError[]): string[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) =>
    'whitelistValidation' in constraints
      ? [notAMember(property)]
      : [...Object.values(constraints), ...messagesOf(children)],
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
const MISLEADING_NAMES: ReadonlySet<string | number> = new Set(['constructor', '__proto__']);

interface Part {
  value: unknown;
  /** `scopes`, or 2 for the third element of a list; the root has its own name, `''` for a body or query. */
  key: string | number;
  /** The enclosing value; `null` for the root. */
  within: Part | null;
  depthLevels: number;
}

/** Problems of texts and names that PostgreSQL cannot store: U+0000 and lone surrogates. */
function malformedParts(value: unknown, name = ''): string[] {
  const isMalformed = (part: Part) => !isStorable(part.value) || (part.within !== null && !isStorable(part.key));
  return namesOf(value, name, isMalformed).map((part) => `${part || 'the text'} ${BAD_TEXT}`);
}

function misleadingNames(body: object): string[] {
  return namesOf(body, '', ({ key }) => MISLEADING_NAMES.has(key));
}

/**
 * The names of some parts of a value. Iterative, because the value may be nested deeper than the stack.
 *
 * @throws ApiError `bad_request` for a value that is nested too deep
 */
function namesOf(whole: unknown, name: string, isWanted: (part: Part) => boolean): string[] {
  const names: string[] = [];
  const parts: Part[] = [{ value: whole, key: name, within: null, depthLevels: 0 }];
  for (let part = parts.pop(); part && names.length < MAX_PROBLEMS; part = parts.pop()) {
    const { value, depthLevels } = part;
    if (isWanted(part)) names.push(nameOf(part));
    if (typeof value !== 'object' || value === null) continue;
    if (depthLevels >= MAX_DEPTH_LEVELS) {
      throw new ApiError('bad_request', `The body is nested deeper than ${MAX_DEPTH_LEVELS} levels.`);
    }
    for (const [key, member] of membersOf(value)) {
      parts.push({ value: member, key, within: part, depthLevels: depthLevels + 1 });
    }
  }
  return names;
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

function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());
}
