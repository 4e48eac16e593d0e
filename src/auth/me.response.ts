import { Count, Group, Id, Ids, Moment, responseOf, SomeOf, Text } from '../http/members.js';
import type { ApiKey } from './api-key.entity.js';
import { SCOPES, type Scope } from './scopes.js';
import type { User } from './user.entity.js';

class MeUser {
  @Id({ example: '3f0e6c52-0d3f-4b0e-8a53-6a2a5d0b9c11' })
  id: string;

  @Text({ format: 'email', example: 'ann@example.com' })
  email: string;

  @Text({ example: 'Europe/Prague', description: 'IANA time zone; decides which day it is for this person.' })
  time_zone: string;
}

class MeKey {
  @Id({ example: '0b8a2f0c-6d0e-4e25-9f0e-1b7a3c9d2e44' })
  id: string;

  @Text({ example: 'laptop' })
  name: string;

  @Text({ example: 'tm_4fK…9xQz', description: 'First 6 and last 4 characters of the key.' })
  hint: string;

  @SomeOf(SCOPES, { example: ['balances:read', 'accounts:read'] })
  scopes: Scope[];

  @Ids({
    nullable: true,
    example: null,
    description:
      'The accounts that the key is limited to, those included that were deleted or merged into others; `null`: all.',
  })
  account_ids: string[] | null;

  @Moment({ nullable: true, example: null, description: '`null`: never.' })
  expires_at: string | null;

  @Moment({ example: '2026-03-01T09:30:00.000Z' })
  created_at: string;

  @Moment({ nullable: true, example: null, description: 'When the key was rotated last.' })
  rotated_at: string | null;

  @Moment({ nullable: true, example: null, description: 'Until when the previous secret also works.' })
  previous_valid_until: string | null;
}

export class RotatedKeyResponse {
  @Group(MeKey, { from: 'key' })
  key: MeKey;

  @Text({ example: 'tm_4fKq…', description: 'The new secret. It is shown only here.' })
  secret: string;
}

class MeLimits {
  @Count({
    nullable: true,
    minimum: 1,
    example: 600,
    description: 'Requests per minute with this key on one instance; `null`: no limit.',
  })
  requests_per_minute: number | null;
}

export class MeResponse {
  @Group(MeUser, { from: 'user' })
  user: MeUser;

  @Group(MeKey, { from: 'key' })
  key: MeKey;

  @Group(MeLimits)
  limits: MeLimits;
}

type Me = { user: User; key: ApiKey } & MeLimits;

export const toMeResponse: (me: Me) => MeResponse = responseOf(MeResponse);
export const toRotatedKeyResponse: (rotated: { key: ApiKey; secret: string }) => RotatedKeyResponse =
  responseOf(RotatedKeyResponse);
