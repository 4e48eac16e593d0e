import type { MemberDecorator } from '../members.js';
import { choicesOf, Given, GivenMoment } from './given.js';
import { isUuid } from './validators.js';

// Parameters of several lists. Optional ones have no example: Swagger UI would send it, and most likely find nothing.

/** How many accounts or currencies one list may be asked for. */
export const MAX_CHOICES = 50;

function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

/** Values with commas between them. @param each what each of them must be */
function someOf(
  schema: { maxLength: number; description: string },
  each: (text: string) => boolean,
  problem: string,
  clean = choicesOf,
): MemberDecorator<readonly string[]> {
  const problemOf = (value: unknown) => {
    const values = value as string[];
    if (values.length > MAX_CHOICES) return `must not have more than ${MAX_CHOICES} values`;
    return values.every(each) ? null : problem;
  };
  return Given({ schema: { type: String, ...schema }, problemOf, clean }, { optional: true });
}

export function AccountIdsParameter(): MemberDecorator<readonly string[]> {
  const description = `Only records of this account, or of several: ids separated by commas, at most ${MAX_CHOICES}.`;
  return someOf({ maxLength: MAX_CHOICES * 38, description }, isUuid, 'must be a valid UUID');
}

const NO_CURRENCY = 'must be a currency code of three letters';

export function CurrenciesParameter(about = 'Only records in this currency'): MemberDecorator<readonly string[]> {
  const description = `${about}, such as \`EUR\`, or in several: \`usd,EUR\`; at most ${MAX_CHOICES}.`;
  const inUpperCase = (text: string) => choicesOf(text.toUpperCase());
  return someOf({ maxLength: MAX_CHOICES * 5, description }, isCurrency, NO_CURRENCY, inUpperCase);
}

export function CurrencyParameter(about: string): MemberDecorator<string> {
  return Given<string>(
    {
      schema: { type: 'string', pattern: '^[A-Za-z]{3}$' },
      problemOf: (value) => (isCurrency(value as string) ? null : NO_CURRENCY),
      clean: (text) => text.toUpperCase(),
    },
    { optional: true, description: `${about}: three letters such as \`EUR\`, in either case.` },
  );
}

/** @param about what the moment does not tell of these records */
export function UpdatedSinceParameter(about = ''): MemberDecorator<string> {
  const description =
    'Only records whose `updated_at` is this moment or later. A record can be read some time after its `updated_at`, ' +
    'so ask from ten minutes before the last request. Removed records are in no list, and only ' +
    `\`GET /api/v1/changes\` tells them.${about && ` ${about}`}`;
  return GivenMoment({ optional: true, description });
}
