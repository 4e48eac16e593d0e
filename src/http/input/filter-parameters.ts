import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';
import { IsCalendarDate, UUID } from './validators.js';

const upperCase = ({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value);

// No parameter that may be left out has an example: Swagger UI would send it, and what is found would be nothing.

/** Parameters that several lists have in common: each says what it accepts to the pipe and to the document alike. */
export function AccountIdParameter(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ format: 'uuid', description: 'Only records of this account.' }),
    IsOptional(),
    Matches(UUID, { message: 'account_id must be a valid UUID' }),
  );
}

export function CurrencyParameter(description = 'Only records in this currency'): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description: `${description}: three letters, in either case.` }),
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
