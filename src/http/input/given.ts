import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
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
}

interface GivenKind {
  schema: ApiPropertyOptions;
  /** What a value must be, as it follows the member's name; `null`: it is. @param whole the body or query with it */
  problemOf: (value: unknown, whole: object) => string | null;
  /** The value of a text. */
  clean?: (text: string) => unknown;
  /** The value of a text in a query string, where everything is text. */
  parse?: (text: string) => unknown;
}

/** The transformations of queries, which the validation pipe asks for. */
export const IN_QUERY = ['query'];

/** A member of a kind that the ones below are not. */
export function Given<Value>(
  { schema, problemOf, clean, parse }: GivenKind,
  { optional = false, ...options }: GivenOptions<Value> = {},
): MemberDecorator<Value> {
  const isOptional = optional || options.default !== undefined;
  return (target, name) => {
    const declare = (...decorators: PropertyDecorator[]) => decorators.forEach((decorator) => decorator(target, name));
    declare(
      ApiProperty({ ...schema, ...options, ...(isOptional && { required: false }) } as ApiPropertyOptions),
      ValidateIf((_, value) => !(value === undefined && isOptional) && !(value === null && options.nullable)),
      ValidateBy({
        name: 'given',
        validator: {
          validate: (value, given?: ValidationArguments) => problemOf(value, given!.object) === null,
          defaultMessage: (given?: ValidationArguments) => `${name} ${problemOf(given!.value, given!.object)}`,
        },
      }),
    );
    const ofText = (change: (text: string) => unknown) => {
      return ({ value }: { value: unknown }) => (typeof value === 'string' ? change(value) : value);
    };
    if (clean) declare(Transform(ofText(clean)));
    if (parse) declare(Transform(ofText(parse), { groups: IN_QUERY }));
  };
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

/** Declares both members of an amount, of which one is given, for {@link minorOf}. */
export function GivenAmount(options: GivenOptions<string>) {
  const mayBeMissing = options.optional || options.nullable;
  return <Name extends string>(target: AmountMembers<Name>, name: Name): void => {
    const problemOf = (value: unknown, { [`${name}_cents`]: minor = null }: Record<string, unknown>) => {
      if (value === undefined ? !mayBeMissing && minor === null : minor !== null)
        return `must be given, as decimal text or as ${name}_cents, and not as both`;
      if (value === undefined || (isText(value) && /^(?=.{1,42}$)[+-]?\d+(\.\d+)?$/.test(value))) return null;
      return 'must be an amount as decimal text, such as "612.45"';
    };
    const schema = { type: String, maxLength: 42, required: false };
    const text = Given<string>({ schema, problemOf: problemOf as GivenKind['problemOf'] }, options);
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
 * @throws DomainError `validation_failed` where it has one that the currency cannot have
 */
export function minorOf<Name extends string>(body: AmountMembers<Name>, name: Name, currency: string): number {
  const text = (body[name] as string | null | undefined) ?? undefined;
  if (text === undefined) return (body as Record<string, number>)[`${name}_cents`]! + 0;
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
