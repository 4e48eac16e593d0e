import { ApiProperty } from '@nestjs/swagger';
import type { ApiKey } from './api-key.entity.js';
import { SCOPES, type Scope } from './scopes.js';
import type { User } from './user.entity.js';

const TIME = { type: String, format: 'date-time', nullable: true, example: null } as const;

class MeUser {
  @ApiProperty({ format: 'uuid', example: '3f0e6c52-0d3f-4b0e-8a53-6a2a5d0b9c11' })
  id: string;

  @ApiProperty({ format: 'email', example: 'ann@example.com' })
  email: string;

  @ApiProperty({ example: 'Europe/Prague', description: 'IANA time zone; decides which day it is for this person.' })
  time_zone: string;
}

class MeKey {
  @ApiProperty({ format: 'uuid', example: '0b8a2f0c-6d0e-4e25-9f0e-1b7a3c9d2e44' })
  id: string;

  @ApiProperty({ example: 'laptop' })
  name: string;

  @ApiProperty({ example: 'tm_4fK…9xQz', description: 'First 6 and last 4 characters of the key.' })
  hint: string;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: SCOPES }, example: ['balances:read', 'accounts:read'] })
  scopes: Scope[];

  @ApiProperty({
    type: [String],
    format: 'uuid',
    nullable: true,
    example: null,
    description:
      'The accounts that the key is limited to, those included that were deleted or merged into others; `null`: all.',
  })
  account_ids: string[] | null;

  @ApiProperty({ ...TIME, description: '`null`: never.' })
  expires_at: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-03-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ ...TIME, description: 'When the key was rotated last.' })
  rotated_at: string | null;

  @ApiProperty({ ...TIME, description: 'Until when the previous secret also works.' })
  previous_valid_until: string | null;
}

export class RotatedKeyResponse {
  @ApiProperty({ type: MeKey })
  key: MeKey;

  @ApiProperty({
    example: 'tm_4fKq…',
    description: 'The new secret. It is shown only here.',
  })
  secret: string;
}

class MeLimits {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 1,
    example: 600,
    description: 'Requests per minute with this key on one instance; `null`: no limit.',
  })
  requests_per_minute: number | null;
}

export class MeResponse {
  @ApiProperty({ type: MeUser })
  user: MeUser;

  @ApiProperty({ type: MeKey })
  key: MeKey;

  @ApiProperty({ type: MeLimits })
  limits: MeLimits;
}

/** @param rateLimitPerMinute `0`: unlimited */
export function toMeResponse(user: User, key: ApiKey, rateLimitPerMinute: number): MeResponse {
  return {
    user: { id: user.id, email: user.email, time_zone: user.timeZone },
    key: toMeKey(key),
    limits: { requests_per_minute: rateLimitPerMinute || null },
  };
}

export function toMeKey(key: ApiKey): MeKey {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    account_ids: key.accountIds,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    rotated_at: key.rotatedAt?.toISOString() ?? null,
    previous_valid_until: key.previousValidUntil?.toISOString() ?? null,
  };
}
