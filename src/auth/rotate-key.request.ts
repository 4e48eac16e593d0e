import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MAX_OVERLAP_HOURS } from './api-key.js';

const HOURS = Array.from({ length: MAX_OVERLAP_HOURS }, (_, index) => index + 1);

export class RotateKeyRequest {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_OVERLAP_HOURS,
    example: 24,
    description: 'How long the current secret stays valid. To end it at once, rotate or revoke it on the page.',
  })
  @IsIn(HOURS, { message: `overlap_hours must be a whole number from 1 to ${MAX_OVERLAP_HOURS}` })
  overlap_hours: number;
}
