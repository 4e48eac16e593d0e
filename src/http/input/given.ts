import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { validationFailed } from '../../platform/domain-error.js';
import { minorDigits } from '../../platform/money/currency.js';
import { MAX_AMOUNT_MINOR, parseMinor } from '../../platform/money/minor-units.js';
import { isCalendarDate } from '../../platform/time/calendar-date.js';
import { isInstantText } from '../../platform/time/instant-text.js';
import type { MemberDecorator } from '../members.js';
import { isUuid, visibleText } from './validators.js';

// A request class says each of its members once, of a body or a query: the document, the check and the clean value follow.

interface GivenOptions<Value> {
  description?: string;
  example?: Value | null;
  /** What the property begins with: the member may be left out. */
  default?: Value;
  /** The member may be left out. */
  optional?: boolean;
  /** `null` says something of its own. */
  nullable?: boolean;
  /** Another member with a day or time that is not after this one; either may be left out. */
  notBefore?: string;
}

interface GivenKind {
  schema: ApiPropertyOptions;
  /** What a value must be, as it follows the member's name; `null`: it is. */
  problemOf: (value: unknown) => string | null;
  /** The value of a text. */
  clean?: (text: string) => unknown;
  /** The value of a text in a query string, where everything is text. */
  parse?: (text: string) => unknown;
}

/** What is known of a member when a request is read. */
interface GivenMember extends Omit<GivenKind, 'schema'> {
  isOptional: boolean;
  isNullable: boolean;
  notBefore: string | null;
}

/** The members that a class declares and inherits, by its prototype. */
const DECLARED = new WeakMap<object, Map<string, GivenMember>>();

/** The members of a request class, by name. */
export function givenMembersOf(prototype: object | null): ReadonlyMap<string, GivenMember> {
  if (prototype === null) return new Map();
  return DECLARED.get(prototype) ?? givenMembersOf(Object.getPrototypeOf(prototype) as object | null);
}

function declare(prototype: object, name: string, member: GivenMember): void {
  if (!DECLARED.has(prototype)) DECLARED.set(prototype, new Map(givenMembersOf(prototype)));
  DECLARED.get(prototype)!.set(name, member);
}

/** A member of a kind that the ones below are not. */
export function Given<Value>(
  { schema, ...kind }: GivenKind,
  { optional = false, notBefore, ...options }: GivenOptions<Value> = {},
): MemberDecorator<Value> {
  const isOptional = optional || options.default !== undefined;
  return (target, name) => {
    ApiProperty({ ...schema, ...options, ...(isOptional && { required: false }) } as ApiPropertyOptions)(target, name);
    const isNullable = options.nullable ?? false;
    declare(target, name, { ...kind, isOptional, isNullable, notBefore: notBefore ?? null });
  };
}

/**
 * Reads a request as its class says.
 *
 * @param isQuery whether everything that is given is text
 * @returns the first problem of each member, too
 */
export function readGiven<Input extends object>(
  inputClass: Type<Input>,
  given: Readonly<Record<string, unknown>>,
  isQuery: boolean,
): { input: Input; problems: string[] } {
  const members = givenMembersOf(inputClass.prototype as object);
  const input = new inputClass();
  const problems = Object.keys(given)
    .filter((name) => !members.has(name))
    .map(notAMember);
  for (const [name, member] of members) {
    const value = cleanValue(member, given[name], isQuery);
    if (value === undefined && member.isOptional) continue;
    (input as Record<string, unknown>)[name] = value;
    if (value === null && member.isNullable) continue;
    const problem = member.problemOf(value);
    if (problem !== null) problems.push(`${name} ${problem}`);
    else if (member.notBefore !== null && momentOf(given[member.notBefore]) > momentOf(value)) {
      problems.push(`${member.notBefore} must not be after ${name}`);
    }
  }
  return { input, problems };
}

function cleanValue({ clean, parse }: GivenMember, value: unknown, isQuery: boolean): unknown {
  if (typeof value !== 'string') return value;
  const cleaned = clean ? clean(value) : value;
  return parse && isQuery && typeof cleaned === 'string' ? parse(cleaned) : cleaned;
}

/** `NaN`, which is neither before nor after another one: it is none. */
function momentOf(value: unknown): number {
  return typeof value === 'string' && (isCalendarDate(value) || isInstantText(value)) ? Date.parse(value) : NaN;
}

export function notAMember(name: string): string {
  return `${name} is not a member of this body`;
}

/** @param problem what every value must be that is not */
function kind<Value>(schema: ApiPropertyOptions, isValid: (value: unknown) => boolean, problem: string, more = {}) {
  const problemOf = (value: unknown) => (isValid(value) ? null : problem);
  return (options?: GivenOptions<Value>) => Given<Value>({ schema, problemOf, ...more }, options);
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const GivenId = kind<string>(
  { type: String, format: 'uuid' },
  (value) => isText(value) && isUuid(value),
  'must be a valid UUID',
);
export const GivenDay = kind<string>(
  { type: String, format: 'date' },
  (value) => isText(value) && isCalendarDate(value),
  'must be a date (YYYY-MM-DD)',
);
export const GivenMoment = kind<string>(
  { type: String, format: 'date-time' },
  (value) => isText(value) && isInstantText(value),
  'must be a time like 2026-03-02T06:17:04Z',
);
export const GivenFlag = kind<boolean>(
  { type: Boolean },
  (value) => typeof value === 'boolean',
  'must be true or false',
  { parse: (text: string) => (text === 'true' ? true : text === 'false' ? false : text) },
);

interface TextOptions extends GivenOptions<string> {
  min?: number;
  max: number;
  /** What a text of another length must be. */
  problem?: string;
}

/** A text without the white space around it; empty if nothing of it can be seen. */
export function GivenText({ min = 0, max, problem, ...options }: TextOptions): MemberDecorator<string> {
  const schema = { type: String, ...(min > 0 && { minLength: min }), maxLength: max };
  const length = min > 0 ? `must have ${min} to ${max} characters` : `must not be longer than ${max} characters`;
  const problemOf = (value: unknown) => {
    if (!isText(value)) return 'must be a string';
    return value.length >= min && value.length <= max ? null : (problem ?? length);
  };
  return Given<string>({ schema, problemOf, clean: visibleText }, options);
}

export const MAX_NAME_CHARS = 200;

export function GivenName(options?: GivenOptions<string>): MemberDecorator<string> {
  return GivenText({ min: 1, max: MAX_NAME_CHARS, ...options });
}

interface WholeOptions extends GivenOptions<number> {
  min?: number;
  max?: number;
}

export function GivenWhole({ min, max, ...options }: WholeOptions = {}): MemberDecorator<number> {
  return whole({ type: 'integer' }, { min, max }, options);
}

/** An amount in the minor unit of its currency. */
export function GivenMinor({ min, max, ...options }: WholeOptions = {}): MemberDecorator<number> {
  return whole({ type: 'integer', format: 'int64' }, { min, max }, { description: 'In minor units.', ...options });
}

/** An amount of a body: as decimal text or, in the member with the suffix `_cents`, in minor units. */
type AmountMembers<Name extends string> = { readonly [member in Name]?: string | null } & {
  readonly [member in `${Name}_cents`]?: number | null;
};

/** Declares both members of an amount, for {@link minorOf}. */
export function GivenAmount(options: GivenOptions<string>) {
  return <Name extends string>(target: AmountMembers<Name>, name: Name): void => {
    const problem = 'must be an amount as decimal text, such as "612.45"';
    const isAmount = (value: unknown) => isText(value) && /^[+-]?\d{1,20}(\.\d{1,20})?$/.test(value);
    const text = kind<string>({ type: String, maxLength: 42 }, isAmount, problem)({ ...options, optional: true });
    (text as PropertyDecorator)(target, name);
    const bounds = { min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR };
    const description = `In place of \`${name}\`, in minor units.`;
    const minor = GivenMinor({ ...bounds, optional: true, nullable: options.nullable ?? false, description });
    (minor as PropertyDecorator)(target, `${name}_cents`);
  };
}

/**
 * The amount of a body in minor units.
 *
 * @throws DomainError `validation_failed` where it has none or two, or one that the currency cannot have
 */
export function minorOf<Name extends string>(body: AmountMembers<Name>, name: Name, currency: string): number {
  const text = (body[name] as string | null | undefined) ?? undefined;
  const minor = (body as Record<string, number | null | undefined>)[`${name}_cents`] ?? undefined;
  if ((text === undefined) === (minor === undefined))
    throw validationFailed([`${name} must be given, as decimal text or as ${name}_cents, and not as both`]);
  if (text === undefined) return minor! + 0;
  const digits = minorDigits(currency) ?? 0;
  if ((text.split('.')[1] ?? '').length > digits)
    throw validationFailed([`${name} must not have more than ${digits} decimals in ${currency}`]);
  const parsed = parseMinor(text, digits);
  if (parsed === null) throw validationFailed([`${name} must not be larger than ${MAX_AMOUNT_MINOR} minor units`]);
  return parsed;
}

function whole(
  schema: ApiPropertyOptions,
  { min, max }: { min: number | undefined; max: number | undefined },
  options: GivenOptions<number>,
): MemberDecorator<number> {
  const bounds = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
  const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number;
  const from = min ?? MIN_SAFE_INTEGER;
  const to = max ?? MAX_SAFE_INTEGER;
  return Given<number>(
    {
      schema: { ...schema, ...bounds },
      problemOf: (value) => {
        if (Number.isInteger(value) && (value as number) >= from && (value as number) <= to) return null;
        return `must be a whole number from ${from} to ${to}`;
      },
      parse: (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
    },
    options,
  );
}

/** @param values read when they are needed: modules add to some lists */
export function GivenOneOf<const Value extends string>(
  values: readonly Value[],
  options?: GivenOptions<Value>,
): MemberDecorator<Value> {
  const problemOf = (value: unknown) =>
    values.includes(value as Value) ? null : `must be one of: ${values.join(', ')}`;
  return Given<Value>({ schema: { type: String, enum: values as Value[] }, problemOf }, options);
}

interface ListOptions<Value> extends GivenOptions<readonly Value[]> {
  minItems?: number;
  uniqueItems?: boolean;
}

/**
 * A list of some of these; in a query with commas between them.
 *
 * @param values read when they are needed: modules add to some lists
 */
export function GivenSomeOf<const Value extends string>(
  values: readonly Value[],
  { minItems = 0, uniqueItems = false, ...options }: ListOptions<Value> = {},
): MemberDecorator<readonly Value[]> {
  const bounds = { ...(minItems > 0 && { minItems }), ...(uniqueItems && { uniqueItems }) };
  const isValid = (given: unknown) =>
    Array.isArray(given) &&
    given.every((item) => values.includes(item as Value)) &&
    given.length >= minItems &&
    !(uniqueItems && new Set(given).size < given.length);
  return Given<readonly Value[]>(
    {
      schema: { type: 'array', items: { type: 'string', enum: values as Value[] }, ...bounds },
      problemOf: (given) => (isValid(given) ? null : `must be a list of: ${values.join(', ')}`),
      parse: choicesOf,
    },
    options,
  );
}

/** The values between commas, after which there may be blanks. */
export function choicesOf(text: string): string[] {
  return text.split(/, */);
}
