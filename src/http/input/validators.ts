import { buildMessage, ValidateBy, type ValidationArguments } from 'class-validator';
import { isCalendarDate } from '../../platform/time/calendar-date.js';
import { isInstantText } from '../../platform/time/instant-text.js';

/** Hyphenated, either case, any version. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A day or time that is not before the one in another parameter. Valid if either is none. */
export function IsNotBefore(other: string): PropertyDecorator {
  const momentOf = (value: unknown) =>
    typeof value === 'string' && (isCalendarDate(value) || isInstantText(value)) ? Date.parse(value) : NaN;
  return ValidateBy({
    name: 'isNotBefore',
    constraints: [other],
    validator: {
      validate: (value, context?: ValidationArguments) =>
        !(momentOf((context?.object as Record<string, unknown>)[other]) > momentOf(value)),
      defaultMessage: buildMessage(() => `${other} must not be after $property`),
    },
  });
}

/** White space, control characters and those that Unicode has drawn as nothing; the blank of Braille is none of them. */
const INVISIBLE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Text without the white space around it; `''` if nothing of it can be seen. Invisible joiners within it stay. */
export function visibleText(text: string): string {
  return INVISIBLE.test(text) ? '' : text.trim();
}
