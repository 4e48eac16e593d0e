import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';
import { IsCalendarDate, UUID } from './validators.js';

const upperCase = ({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value);

/** Parameters that several lists have in common: each says what it accepts to the pipe and to the document alike. */
export function AccountIdParameter(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      format: 'uuid',
      description: 'Only records of this account.',
      example: '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90',
    }),
    IsOptional(),
    Matches(UUID, { message: 'account_id must be a valid UUID' }),
  );
}

export function CurrencyParameter(description = 'Only records in this currency'): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ example: 'USD', description: `${description}: three letters, in either case.` }),
    IsOptional(),
    Transform(upperCase),
    Matches(/^[A-Z]{3}$/, { message: 'currency must be a currency code of three letters' }),
  );
}

export function DateParameter(description: string, example: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date', description, example }),
    IsOptional(),
    IsCalendarDate(),
  );
}
