import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsOptional, Matches } from 'class-validator';
import { IsCalendarDate, UUID } from './validators.js';

/** How many accounts or currencies one list may be asked for. */
export const MAX_CHOICES = 50;

/** In either case. */
const CURRENCY_CODE = { type: 'string', pattern: '^[A-Za-z]{3}$' } as const;

const upperCase = ({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value);
/** The values between commas, after which there may be blanks. */
export const choices = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.split(/, */) : value;

// Optional parameters have no example: Swagger UI would send it, and most likely find nothing.

/** Parameters of several lists, with their validation and documentation. */
export function AccountIdsParameter(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      maxLength: MAX_CHOICES * 38,
      description: `Only records of this account, or of several: ids separated by commas, at most ${MAX_CHOICES}.`,
    }),
    IsOptional(),
    Transform(choices),
    ArrayMaxSize(MAX_CHOICES, { message: `account_id must not have more than ${MAX_CHOICES} values` }),
    Matches(UUID, { each: true, message: 'account_id must be a valid UUID' }),
  );
}

export function CurrenciesParameter(description = 'Only records in this currency'): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      maxLength: MAX_CHOICES * 5,
      description: `${description}, such as \`EUR\`, or in several: \`usd,EUR\`; at most ${MAX_CHOICES}.`,
    }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => choices({ value: upperCase({ value }) })),
    ArrayMaxSize(MAX_CHOICES, { message: `currency must not have more than ${MAX_CHOICES} values` }),
    Matches(/^[A-Z]{3}$/, { each: true, message: 'currency must be a currency code of three letters' }),
  );
}

export function CurrencyParameter(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      ...CURRENCY_CODE,
      description: `${description}: three letters such as \`EUR\`, in either case.`,
    }),
    IsOptional(),
    Transform(upperCase),
    Matches(/^[A-Z]{3}$/, { message: 'currency must be a currency code of three letters' }),
  );
}

export function DateParameter(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date', description }),
    IsOptional(),
    IsCalendarDate(),
  );
}
