import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import { type CalendarDate, IsCalendarDate, Trimmed, UUID } from '../../../src/kit.js';

export class CreateSavingsGoalRequest {
  @ApiProperty({ format: 'uuid', description: 'One of your accounts.' })
  @Matches(UUID, { message: 'account_id must be a valid UUID' })
  account_id: string;

  @ApiProperty({ example: 'Roof', minLength: 1, maxLength: 200 })
  @Trimmed()
  @IsString({ message: 'name must be a string' })
  @Length(1, 200, { message: 'name must have 1 to 200 characters' })
  name: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    example: 500000,
    description: 'In the minor unit of the account’s currency.',
  })
  @IsInt({ message: 'target_cents must be an integer' })
  @Min(1, { message: 'target_cents must be at least 1' })
  @Max(Number.MAX_SAFE_INTEGER, { message: 'target_cents is too large' })
  target_cents: number;

  @ApiPropertyOptional({ type: String, format: 'date', nullable: true, example: '2027-06-30' })
  @IsOptional()
  @IsCalendarDate()
  due_on?: CalendarDate | null;
}
